package residual

import (
	"math"
	"strings"
	"testing"
)

// The caption names what is above the panel and what no number is, and nothing else.
func TestCaptionNamesWhatIsNotDrawn(t *testing.T) {
	row := func(values Values, scaling Scaling, depth int32, statistic Statistic, value float64) Row {
		return Row{Values: values, Scaling: scaling, Depth: depth, Statistic: statistic, Value: value}
	}
	rows := []Row{
		row(Identity, Inverse, 8, LogNorm, 0.7), row(Identity, Inverse, 16, LogNorm, 4.9),
		row(Identity, InverseRoot, 8, LogNorm, 2), row(Identity, InverseRoot, 16, LogNorm, 5.25),
		row(Identity, InverseRoot, 8, Cosine, 7), row(Identity, InverseRoot, 32, LogNorm, 31),
		row(Identity, InverseRoot, 64, LogNorm, math.NaN()),
		row(Identity, InverseRoot, 128, LogNorm, math.NaN()),
	}
	const want = "; above the left panel: identity, 1/√L at L = 16, 32, up to 31" +
		"; beyond float64: identity, 1/√L at L = 64, 128; on the right"
	if got := notDrawn(courses(rows), 5); !strings.HasPrefix(got, want) {
		t.Errorf("%s\nnot\n%s", got, want)
	}
	if got := notDrawn(courses(rows[:2]), 5); !strings.HasPrefix(got, "; on the right") {
		t.Error(got)
	}
}
