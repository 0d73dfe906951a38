package overlap

import (
	"hash/fnv"
	"math"
	"strings"
	"testing"

	"antipode/overlap/internal/overlaptest"
	"antipode/sphere/must"

	"pgregory.net/rapid"
)

// Ten digits, computed by quadrature in z before this package existed.
func TestKnownProbabilities(t *testing.T) {
	for _, c := range []struct {
		dim               int
		beta              float64
		fromZero, uniform float64
	}{
		{3, 1.0, 0.2224225631, 0.2674900199},
		{4, 1.0, 0.0844272473, 0.1198769963},
		{5, 1.5, 0.1136681562, 0.1510543061},
		{8, 3.0, 0.2082869569, 0.2275077056},
		{4, 1.5, 0.1811384333, 0.2227152639},
	} {
		d := diffusion(t, c.dim, c.beta)
		near(t, "P(antipodal | 0)", from(t, d, 0).Value, c.fromZero, 0.6e-10)
		near(t, "P(antipodal)", d.AntipodalUniform().Value, c.uniform, 0.6e-10)
	}
}

// references were computed with 30 digits (mpmath), in u, on panels of 24 Gauss nodes with nested
// integration. For the uniform start, integration by parts leads to its distribution function, an
// incomplete beta function; for dim = 10000 nested integration is used. Below 1e-80 they are 0. The
// starts are z0 = -1023/1024, -3/4, 0, 1/2, 15/16.
var references = []struct {
	dim     int
	beta    float64
	from    [5]float64
	uniform float64
}{
	{3, 1, [5]float64{0.93964364231564778, 0.5362017239320982, 0.22242256306248401, 0.096660895707081928,
		0.010798690968308015}, 0.26749001993472872},
	{4, 1, [5]float64{0.8124455938695178, 0.3176334339968263, 0.084427247322368059, 0.023823198806155239,
		0.00086671489953967272}, 0.11987699633762976},
	{5, 1.5, [5]float64{0.91950263315874707, 0.43849189998938528, 0.11366815616128408, 0.024760826693314568,
		0.00031096471881145527}, 0.15105430613677363},
	{8, 3, [5]float64{0.97423098776498523, 0.61407077113567588, 0.20828695689723502, 0.040110542943842777,
		3.5356497406166261e-5}, 0.22750770558123829},
	{4, 1.5, [5]float64{0.94916417372361506, 0.52958543450591698, 0.18113843330795359, 0.056576389574337682,
		0.0021340257141430844}, 0.22271526388454788},
	{3, 0.0625, [5]float64{0.02914304440740673, 0.008024891572082634, 0.002679055523236547,
		0.0011121475095155215, 0.00012274308726117892}, 0.0038585828395239145},
	{3, 1000, [5]float64{0.98580607161871343, 0.76789693493036863, 0.49554536380108392, 0.32739381840144523,
		0.10523275221579822}, 0.49554687266140095},
	{4, 0.671875, [5]float64{0.076658697054446842, 0.016604057974585617, 0.003519401364839559,
		0.00093570230702216497, 3.3467769118808389e-5}, 0.005813370345338396},
	{10, 1.40625, [5]float64{0.12491880072248307, 0.018743709739054808, 0.001124773080915608,
		3.9034703468895711e-5, 1.9340768375496428e-9}, 0.0022867940216308649},
	{16, 2, [5]float64{0.79528728201622758, 0.22605048015383112, 0.015300819407532327, 0.00021498535347718461,
		2.7112110939056037e-11}, 0.024836021283300203},
	{100, 3, [5]float64{0.79523754555330297, 0.17751706950176537, 0.0014073995480861792,
		1.1227654774686304e-9, 2.7304694402653012e-50}, 0.0022874829104448176},
	{100, 5, [5]float64{0.97324356916252784, 0.57429940134177483, 0.11388822270893817, 0.00063323572946736618,
		3.1024386010599736e-36}, 0.11686408347849455},
	{64, 1000, [5]float64{0.9855612690565193, 0.76389385533916334, 0.48684503897663167, 0.31579338530217555,
		0.089800709095603694}, 0.48684503897663167},
	{1000, 5, [5]float64{0.9498050405308307, 0.37796114256248332, 0.0024622247131220456,
		1.5277349974501849e-19, 0}, 0.0027524113557617578},
	{1000, 8, [5]float64{0.97550643209578964, 0.5997728545090337, 0.13667988932592018, 4.8744285494132494e-5,
		0}, 0.13685210607855856},
	{10000, 5, [5]float64{0.21146893073971586, 0.0076658078866525936, 1.7642010076502141e-16, 0, 0},
		4.266270763869885e-16},
	{10000, 6, [5]float64{0.93591942449596574, 0.28521546316440124, 2.4356623585263278e-6, 0, 0},
		2.7812658611683133e-6},
	{10000, 9, [5]float64{0.97312101194900344, 0.56092435325235952, 0.065033049110904047,
		2.941331278635923e-16, 0}, 0.065089603267333966},
	{10000, 12, [5]float64{0.97680542405012199, 0.62071692614980314, 0.17613582724814042,
		4.9702302542019159e-5, 0}, 0.1761390292371795},
	{10000, 1000, [5]float64{0.98535586383156934, 0.76053501196532619, 0.47954490223914463,
		0.30605986965219284, 0.076852224160926717}, 0.47954490223914463},
}

func TestErrorBoundsHold(t *testing.T) {
	worst, largest := 0.0, 0.0
	compare := func(dim int, beta float64, got Probability, want float64) {
		t.Helper()
		off := math.Abs(got.Value - want)
		worst, largest = math.Max(worst, off), math.Max(largest, got.Error)
		if !(off <= got.Error+1e-80) || !(got.Error < 1e-11) {
			t.Errorf("dim %d, beta %v: %v, want %v: off by %.2g", dim, beta, got, want, off)
		}
	}
	for _, r := range references {
		d := diffusion(t, r.dim, r.beta)
		for i, z0 := range []float64{-1023.0 / 1024, -0.75, 0, 0.5, 0.9375} {
			compare(r.dim, r.beta, from(t, d, z0), r.from[i])
		}
		compare(r.dim, r.beta, d.AntipodalUniform(), r.uniform)
	}
	t.Logf("largest error %.2g, largest bound %.2g", worst, largest)
}

func TestAntipodalFromTheEnds(t *testing.T) {
	for _, dim := range []int{2, 3, 10000} {
		for _, beta := range []float64{0, 1, 1000} {
			d := diffusion(t, dim, beta)
			if p := from(t, d, -1); p != (Probability{Value: 1}) {
				t.Errorf("dim %d, beta %v: %v from -1", dim, beta, p)
			}
			if p := from(t, d, 1); p != (Probability{}) {
				t.Errorf("dim %d, beta %v: %v from +1", dim, beta, p)
			}
		}
	}
}

func TestAntipodalFromRefusesByName(t *testing.T) {
	for z0, name := range map[float64]string{-1.5: "z0 = -1.5 ",
		math.Nextafter(1, 2): "z0 = 1.0000000000000002 ", math.Inf(1): "z0 = +Inf ",
		math.NaN(): "z0 = NaN "} {
		if _, err := diffusion(t, 3, 1).AntipodalFrom(z0); err == nil ||
			!strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "from -1 to 1") {
			t.Errorf("AntipodalFrom(%v): %v", z0, err)
		}
	}
}

func TestIndependentOfClock(t *testing.T) {
	for _, dim := range []int{2, 4, 300} {
		for _, beta := range []float64{0.5, 3, 1000} {
			want := diffusion(t, dim, beta)
			for _, attention := range []Attention{Softmax, Unnormalized} {
				for _, sigma := range []float64{1e-200, 0.1, 1e200} {
					d := must.Get(New(dim, beta, attention, sigma))(t)
					if d.AntipodalUniform() != want.AntipodalUniform() ||
						from(t, d, 0.1) != from(t, want, 0.1) {
						t.Errorf("dim %d, beta %v, %v, sigma %v: another probability", dim, beta, attention,
							sigma)
					}
				}
			}
		}
	}
}

func checkProbability(t *rapid.T, p Probability) {
	if !(p.Value >= 0 && p.Value <= 1 && p.Error >= 0 && p.Error < 1e-11) {
		t.Fatalf("probability %v", p)
	}
}

func antipodal(t *rapid.T, dim int, beta, z0 float64) Probability {
	d := must.Get(New(dim, beta, Softmax, 1))(t)
	p := must.Get(d.AntipodalFrom(z0))(t)
	checkProbability(t, p)
	return p
}

func notAbove(t *rapid.T, low, high Probability) {
	if low.Value > high.Value+low.Error+high.Error {
		t.Fatalf("%v is above %v", low, high)
	}
}

func TestMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dim, beta := overlaptest.Dimensions.Draw(t, "dim"), everyBeta.Draw(t, "beta")
		z0 := overlaptest.Overlaps.Draw(t, "z0")
		p := antipodal(t, dim, beta, z0)
		notAbove(t, antipodal(t, dim, beta, rapid.Float64Range(z0, 1).Draw(t, "greater z0")), p)
		notAbove(t, antipodal(t, rapid.IntRange(dim, 10000).Draw(t, "greater dim"), beta, z0), p)
		notAbove(t, p, antipodal(t, dim, rapid.Float64Range(beta, MaxBeta).Draw(t, "greater beta"), z0))
	})
}

// Strict inequalities, where the differences are far above the error.
func TestStrictlyMonotone(t *testing.T) {
	for dim := 2; dim < 12; dim++ {
		critical, _ := CriticalBeta(dim)
		for beta := critical + 0.25; beta < critical+3; beta += 0.25 {
			d := diffusion(t, dim, beta)
			for z0 := -0.75; z0 < 0.8; z0 += 0.25 {
				p := from(t, d, z0).Value
				if further := from(t, d, z0+0.25).Value; further >= p-1e-6 {
					t.Errorf("dim %d, beta %v: %v at %v, %v at %v", dim, beta, p, z0, further, z0+0.25)
				}
				if hotter := from(t, diffusion(t, dim+1, beta), z0).Value; hotter >= p-1e-9 {
					t.Errorf("beta %v, z0 %v: %v in dim %d, %v in dim %d", beta, z0, p, dim, hotter, dim+1)
				}
				if colder := from(t, diffusion(t, dim, beta+0.25), z0).Value; dim > 2 && colder <= p+1e-9 {
					t.Errorf("dim %d, z0 %v: %v at %v, %v at %v", dim, z0, p, beta, colder, beta+0.25)
				}
			}
		}
	}
}

// The thresholds, where tails are infinite, and the extremes of all arguments.
func TestProbabilitiesAtTheExtremes(t *testing.T) {
	starts := []float64{-1, math.Nextafter(-1, 0), -0.999999, -math.SmallestNonzeroFloat64, 0, 0.999999,
		math.Nextafter(1, 0), 1}
	for _, dim := range []int{2, 3, 4, 5, 31, 1000, 9999, 10000} {
		critical, _ := CriticalBeta(dim)
		betas := []float64{0, 5e-324, 1e-160, 1e-8, 0.5, critical, critical + 1e-12, critical + 1e-6,
			critical + 1e-3, 17, 354, 355, 356, 710, MaxBeta}
		for _, beta := range append(betas, math.Nextafter(critical, 0), math.Nextafter(critical, 9)) {
			d := diffusion(t, dim, beta)
			before := 1.0
			for _, z0 := range starts {
				p := from(t, d, z0)
				if !(p.Value >= 0 && p.Value <= before+p.Error && p.Error >= 0 && p.Error < 1e-11) {
					t.Errorf("dim %d, beta %v, z0 %v: %v after %v", dim, beta, z0, p, before)
				}
				before = p.Value
			}
			if p := d.AntipodalUniform(); !(p.Value >= 0 && p.Value <= 0.5+p.Error && p.Error >= 0 &&
				p.Error < 1e-11) {
				t.Errorf("dim %d, beta %v: %v", dim, beta, p)
			}
			if beta <= critical && dim > 2 && d.AntipodalUniform() != (Probability{}) {
				t.Errorf("dim %d, beta %v: antipodal below the threshold", dim, beta)
			}
		}
	}
}

// The same bits on every machine: a hash of results over a grid, frozen on amd64.
func TestSameBitsOnEveryMachine(t *testing.T) {
	hash := fnv.New64a()
	write := func(values ...float64) {
		for _, v := range values {
			bits := math.Float64bits(v)
			for range 8 {
				hash.Write([]byte{byte(bits)})
				bits >>= 8
			}
		}
	}
	for _, attention := range []Attention{Softmax, Unnormalized} {
		for _, dim := range []int{2, 3, 4, 7, 50, 2000, 10000} {
			critical, _ := CriticalBeta(dim)
			write(critical)
			for _, beta := range []float64{0, 0.3, 1.1, 2.7, 6.3, 12, 140, 1000} {
				d := must.Get(New(dim, beta, attention, 0.7))(t)
				uniform := d.AntipodalUniform()
				write(uniform.Value, uniform.Error)
				for _, z := range []float64{-0.97, -0.4, 0.1, 0.35, 0.93} {
					p := from(t, d, z)
					write(p.Value, p.Error, d.Drift(z), d.Variance(z), d.LogScale(z), d.LogScaleDensity(z))
				}
			}
		}
	}
	const want = 0x78f0b9ea117b78d2
	if got := hash.Sum64(); got != want {
		t.Errorf("hash %#x, want %#x", got, uint64(want))
	}
}

func BenchmarkAntipodalFrom(b *testing.B) {
	benchmark(b, func(d *Diffusion) { d.AntipodalFrom(0.1) })
}

func benchmark(b *testing.B, probability func(*Diffusion)) {
	for _, c := range []struct {
		name string
		dim  int
		beta float64
	}{
		{"dim=2,beta=1", 2, 1}, {"dim=4,beta=0.66", 4, 0.66}, {"dim=8,beta=3", 8, 3},
		{"dim=10000,beta=10", 10000, 10}, {"dim=10000,beta=1000", 10000, 1000},
	} {
		d := diffusion(b, c.dim, c.beta)
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				probability(d)
			}
		})
	}
}
