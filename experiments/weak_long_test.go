//go:build long

package experiments

import (
	"testing"

	"antipode/sde"
)

// gaussian are the series with Gaussian increments: the recursion and the schemes.
func (w *Weak) gaussian() (series []weakSeries) {
	for _, s := range w.series() {
		if s.law == sde.Gaussian {
			series = append(series, s)
		}
	}
	return series
}

func TestWeakOrders(t *testing.T) {
	w := NewWeak()
	w.Dim, w.Beta, w.Horizon, w.Depth, w.Trajectories = 16, 3, 0.125, []int{16, 32, 64, 128, 256, 512}, 50_000
	limit, err := w.limit()
	if err != nil {
		t.Fatal(err)
	}
	series := w.gaussian()
	all, err := w.estimates(t.Context(), Options{Seed: 1}, series)
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range series {
		for k, e := range all[i] {
			order, low, high := e.order(limit[k])
			t.Logf("%s %s: %.3f %.3f %.3f", s.name, statisticNames[k], order, low, high)
			order, low, high = e.extrapolated().order(limit[k])
			t.Logf("%s %s: extrapolated %.3f %.3f %.3f", s.name, statisticNames[k], order, low, high)
			o2, l2, h2 := e.from(1).order(limit[k])
			t.Logf("%s %s: from 32: %.3f %.3f %.3f", s.name, statisticNames[k], o2, l2, h2)
			o2, l2, h2 = e.from(1).extrapolated().order(limit[k])
			t.Logf("%s %s: extrapolated from 32: %.3f %.3f %.3f", s.name, statisticNames[k], o2, l2, h2)
			for j := range e.means {
				d, se := e.means[j]-limit[k], e.stderr(j)
				if j+1 < len(e.means) {
					v, ve := e.difference(j, j+1)
					t.Logf("   %g: %.5f ± %.5f, difference %.5f ± %.5f", e.depths[j], d, se, v, ve)
				}
			}
		}
	}
}

// from is the estimates without the first depths.
func (e estimates) from(first int) estimates {
	n := len(e.means)
	out := estimates{depths: e.depths[first:], means: e.means[first:]}
	for i := first; i < n; i++ {
		out.covariance = append(out.covariance, e.covariance[i*n+first:(i+1)*n]...)
	}
	return out
}
