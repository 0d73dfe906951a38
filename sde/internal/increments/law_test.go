package increments

import (
	"math"
	"testing"

	"antipode/sde/internal/kernels"

	"gonum.org/v1/gonum/stat/distuv"
)

func TestTruncatedDeviation(t *testing.T) {
	n := distuv.UnitNormal
	want := math.Sqrt(1 - 4*n.Prob(2)/(n.CDF(2)-n.CDF(-2)))
	if !(math.Abs(TruncatedDeviation-want) <= 1e-15) {
		t.Errorf("%.17g, want %.17g", TruncatedDeviation, want)
	}
}

// A law draws the numbers of the stream times the factor that makes their standard deviation σ: √3 for the
// uniform law on (-1, 1), and 1/√(1 - 4φ(2)/(2Φ(2)-1)) for the normal law truncated to [-2, 2].
func TestLawsScaleTheDraws(t *testing.T) {
	const sigma = 0.37
	truncated := math.Sqrt(1 - 4*math.Exp(-2)/math.Sqrt(2*math.Pi)/math.Erf(math.Sqrt2))
	stream := kernels.NewStream(4, 5)
	lanes := kernels.NewLanes(stream, 1)
	for k := range 8 {
		lanes.Set(k, kernels.Increments, 6, int64(k))
	}
	type fill = func(dst []float64, scale float64, purpose kernels.Purpose, trajectory, step int64)
	for law, c := range map[Law]struct {
		fill  fill
		scale float64
	}{
		Gaussian: {stream.Normals, sigma}, Uniform: {stream.Uniforms, sigma * 1.7320508075688772},
		TruncatedNormal: {stream.TruncatedNormals, sigma / truncated}, Rademacher: {stream.Signs, sigma},
	} {
		unit, got, vectors := make([]float64, 5), make([]float64, 5), make([]kernels.Vector, 5)
		law.DrawLanes(vectors, sigma, lanes)
		for step := range int64(8) {
			c.fill(unit, 1, kernels.Increments, 6, step)
			law.Draw(got, sigma, stream, 6, step)
			for k, g := range unit {
				if want := c.scale * g; !(math.Abs(got[k]-want) <= 1e-15) || vectors[k][step] != got[k] {
					t.Errorf("law %v: %v, in lanes %v, want %v", law, got[k], vectors[k][step], want)
				}
			}
		}
	}
}
