package controls

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// A negative control runs a comparison that is otherwise applied to the right code on wrong code, and fails
// unless the comparison notices the defect. The wrong code is in these tests: steppers, laws, starts and
// theories. Each comparison results in a p-value, the probability that right code would look as bad or worse.

// falseAlarm is the p-value below which a comparison reports a defect, and so the probability that it reports
// one in right code. As the seeds are fixed, an alarm that appears after a change is not chance.
const falseAlarm = 1e-6

// notShort skips a statistical test in short mode, which is for finding data races; this test would find
// none.
func notShort(t *testing.T) {
	if testing.Short() {
		t.Skip("large samples")
	}
}

// mustPass logs the p-value of right code and fails if it raises an alarm.
func mustPass(t *testing.T, detector string, p float64) {
	t.Helper()
	logControl(t, "none", detector, p)
	if !(p >= falseAlarm) {
		t.Errorf("%s: right code raises an alarm, p = %.2g", detector, p)
	}
}

// mustDetect logs the p-value of wrong code and fails if it raises no alarm.
func mustDetect(t *testing.T, defect, detector string, p float64) {
	t.Helper()
	logControl(t, defect, detector, p)
	if !(p < falseAlarm) {
		t.Errorf("%s: %s goes unnoticed, p = %.2g", detector, defect, p)
	}
}

// mustMiss logs the p-value of a defect that the comparison cannot notice, for mathematical reasons, and
// fails if it raises an alarm.
func mustMiss(t *testing.T, defect, detector string, p float64) {
	t.Helper()
	logControl(t, defect+" (invisible)", detector, p)
	if !(p >= falseAlarm) {
		t.Errorf("%s: %s should make no difference, p = %.2g", detector, defect, p)
	}
}

func logControl(t *testing.T, defect, detector string, p float64) {
	t.Helper()
	text := fmt.Sprintf("%.1e", p)
	if p < 1e-300 {
		text = "< 1e-300"
	}
	t.Logf("defect: %-46s detector: %-42s p = %s", defect, detector, text)
}

// chiSquared returns the p-value of scores that are independent standard normal
// numbers in right code, from the sum of their squares.
func chiSquared(scores []float64) float64 {
	sum := 0.0
	for _, s := range scores {
		sum += s * s
	}
	return distuv.ChiSquared{K: float64(len(scores))}.Survival(sum)
}

// binomial returns the two-sided p-value of a count of events of probability p in n trials. Each tail is
// computed as a distribution function, not as 1 minus one, so that small values keep their digits.
func binomial(count, n int, p float64) float64 {
	below := distuv.Binomial{N: float64(n), P: p}.CDF(float64(count))
	above := distuv.Binomial{N: float64(n), P: 1 - p}.CDF(float64(n - count))
	return min(1, 2*below, 2*above)
}

// kolmogorovSmirnov returns the p-value of the greatest distance between the empirical distributions of two
// samples: the limiting law with the correction of Stephens, J. Roy. Statist. Soc. B 32 (1970) 115. The
// p-value is too large for laws with atoms. The values are rounded to 10^-9. Otherwise two programs that
// round the values at an atom differently would seem to have different laws.
func kolmogorovSmirnov(a, b []float64) float64 {
	x, y := sorted(a), sorted(b)
	distance := 0.0
	for i, j := 0, 0; i < len(x) && j < len(y); {
		at := min(x[i], y[j])
		for i < len(x) && x[i] == at {
			i++
		}
		for j < len(y) && y[j] == at {
			j++
		}
		distance = max(distance, math.Abs(float64(i)/float64(len(x))-float64(j)/float64(len(y))))
	}
	n := math.Sqrt(float64(len(x)) * float64(len(y)) / float64(len(x)+len(y)))
	scaled := (n + 0.12 + 0.11/n) * distance
	if scaled < 0.3 { // the series converges slowly, and the p-value is 1 up to 1e-5
		return 1
	}
	sum := 0.0
	for k := 1.0; k <= 20; k++ {
		sum -= 2 * math.Pow(-1, k) * math.Exp(-2*k*k*scaled*scaled)
	}
	return min(1, sum)
}

func sorted(values []float64) []float64 {
	rounded := make([]float64, len(values))
	for k, v := range values {
		rounded[k] = math.Round(1e9*v) / 1e9
	}
	slices.Sort(rounded)
	return rounded
}

// The p-values agree with the 5 % points in tables, which are 18.307 for χ² with 10 degrees of freedom and
// 1.358 for √n times Kolmogorov's distance, and with binomial tails computed by hand.
func TestTailProbabilities(t *testing.T) {
	scores := make([]float64, 10)
	for k := range scores {
		scores[k] = math.Sqrt(1.8307)
	}
	if p := chiSquared(scores); !(math.Abs(p-0.05) <= 1e-5) {
		t.Errorf("χ²: %v", p)
	}
	if p, want := binomial(0, 10, 0.3), 2*math.Pow(0.7, 10); !(math.Abs(p-want) <= 1e-12) {
		t.Errorf("binomial: %v, want %v", p, want)
	}
	if p, want := binomial(10, 10, 0.3), 2*math.Pow(0.3, 10); !(math.Abs(p-want) <= 1e-12) {
		t.Errorf("binomial: %v, want %v", p, want)
	}
	const n = 40_000 // samples k/n and k/n + 1.358·√(2/n): the shift is their distance
	a, b := make([]float64, n), make([]float64, n)
	for k := range n {
		a[k] = float64(k) / n
		b[k] = a[k] + 1.358*math.Sqrt(2./n)
	}
	if p := kolmogorovSmirnov(a, b); !(math.Abs(p-0.05) <= 0.002) {
		t.Errorf("Kolmogorov-Smirnov: %v", p)
	}
}
