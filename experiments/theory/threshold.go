package theory

import (
	"math"
	"sync"

	"antipode/overlap"
	"antipode/overlap/finitedepth"
	"antipode/sde"
)

// Thresholds are the values of β or ε at which an outcome of a cell begins or ceases to be attracting. A
// threshold is NaN if it does not exist or is not known.
type Thresholds struct {
	// Beta is the largest critical β of a transformer at infinite depth, and BetaDepth is the largest
	// critical β at the depth of the cell.
	Beta, BetaDepth float64
	// EpsilonSingle is the noise amplitude ε of a hybrid below which a single cluster is attracting.
	// EpsilonAntipodal is the amplitude ε above which the antipodal outcome is attracting. Both amplitudes
	// hold at infinite depth.
	EpsilonSingle, EpsilonAntipodal float64
}

// UnknownThresholds are Thresholds whose fields are all unknown.
var UnknownThresholds = Thresholds{math.NaN(), math.NaN(), math.NaN(), math.NaN()}

// thresholds computes the Thresholds of cells. For cells that differ only in β, the Thresholds are computed
// only once.
type thresholds struct{ known sync.Map } // maps cellButBeta to func() (Thresholds, error)

// cellButBeta holds the parameters of a transformer cell on which its Thresholds depend, that is, all
// parameters except β.
type cellButBeta struct {
	dim, depth int
	attention  sde.Attention
	model      sde.Transformer
	mlp        sde.MLP
	drift      float64
}

// of returns the Thresholds of a cell for which Holds is true.
func (t *thresholds) of(c sde.Cell) (Thresholds, error) {
	switch m := c.Model.(type) {
	case sde.Transformer:
		if c.Resampling != (sde.Resampling{}) {
			return UnknownThresholds, nil
		}
		but := cellButBeta{c.Dim, c.Depth, c.Attention, m, c.MLP, c.Drift}
		compute, _ := t.known.LoadOrStore(but, sync.OnceValues(func() (Thresholds, error) {
			if !c.Plain() {
				return blockThresholds(c)
			}
			return transformerThresholds(c, m)
		}))
		return compute.(func() (Thresholds, error))()
	case sde.Hybrid:
		if !c.Plain() {
			return hybridBlockThresholds(c, m)
		}
		single, antipodal := overlap.HybridThresholds(c.Beta, Attention(c.Attention))
		return Thresholds{math.NaN(), math.NaN(), single, antipodal}, nil
	}
	return UnknownThresholds, nil
}

func transformerThresholds(c sde.Cell, m sde.Transformer) (Thresholds, error) {
	t, covariance := UnknownThresholds, m.Covariance.OrGinibre()
	t.Beta = CriticalBeta(c.Dim, covariance)
	var err error
	if m.Law == sde.Gaussian {
		t.BetaDepth, err = CriticalBetaDepth(c.Dim, Attention(c.Attention), m.Sigma, covariance,
			int64(c.Depth))
	}
	return t, err
}

// blockThresholds returns the largest critical β of a transformer with an MLP or a drift, at infinite depth.
func blockThresholds(c sde.Cell) (Thresholds, error) {
	t := UnknownThresholds
	var err error
	t.Beta, err = CriticalBetaOf(func(beta float64) (*overlap.Diffusion, error) {
		at := c
		at.Beta = beta
		return Diffusion(at)
	})
	return t, err
}

// hybridBlockThresholds returns the largest critical noise amplitudes ε, up to overlap.MaxEpsilon, of a
// hybrid with an MLP, at infinite depth: one for a single cluster and one for the antipodal outcome. The scan
// of ε is finer below 20.
func hybridBlockThresholds(c sde.Cell, m sde.Hybrid) (Thresholds, error) {
	t := UnknownThresholds
	diffusion := func(epsilon float64) (*overlap.Diffusion, error) {
		m.Epsilon = epsilon
		c.Model = m
		return Diffusion(c)
	}
	for _, end := range []struct {
		at      float64
		epsilon *float64
	}{{1, &t.EpsilonSingle}, {-1, &t.EpsilonAntipodal}} {
		for _, scan := range [][2]float64{{0, 20}, {20, overlap.MaxEpsilon}} {
			found, err := overlap.Thresholds(end.at, scan[0], scan[1], diffusion)
			if err != nil {
				return t, err
			}
			if len(found) > 0 {
				*end.epsilon = found[len(found)-1]
			}
		}
	}
	return t, nil
}

// CriticalBetaOf returns the largest critical β up to 20 of a family of diffusions of the overlap, at which
// overlap -1 begins or ceases to be attracting. The result is NaN if there is no critical β.
func CriticalBetaOf(diffusion func(beta float64) (*overlap.Diffusion, error)) (float64, error) {
	const greatest = 20
	betas, err := overlap.Thresholds(-1, 0, greatest, diffusion)
	if err != nil || len(betas) == 0 {
		return math.NaN(), err
	}
	return betas[len(betas)-1], nil
}

// CriticalBeta returns the largest critical β of tokens of dimension d at infinite depth, if the entries of
// value matrices have the covariance v. The result is NaN if there is no critical β, as for d = 2 and
// independent entries.
func CriticalBeta(d int, v overlap.Covariance) float64 {
	betas := overlap.CriticalBetas(d, v)
	if len(betas) == 0 {
		return math.NaN()
	}
	return betas[len(betas)-1]
}

// CriticalBetaDepth returns the largest critical β at finite depth, if value matrices have Gaussian entries
// of standard deviation σ and covariance v. The result is NaN if there is no critical β, or if the entries
// are not independent and the noise of a layer is too large for the theory.
func CriticalBetaDepth(
	d int, attention overlap.Attention, sigma float64, v overlap.Covariance, depth int64,
) (float64, error) {
	nan := math.NaN()
	if deviation, independent := v.Independent(); independent {
		beta, exists, err := finitedepth.CriticalBeta(d, attention, sigma*deviation, int(depth))
		if err == nil && !exists {
			beta = nan
		}
		return beta, err
	}
	r := finitedepth.Isotropic{Dim: d, Attention: attention, Sigma: sigma, Covariance: v, Depth: int(depth)}
	if beta, exists, err := r.CriticalBeta(); err == nil && exists {
		return beta, nil
	}
	return nan, nil
}

// LyapunovDepth returns the Lyapunov exponent per layer of a pair of antipodal tokens at finite depth. The
// exponent is NaN if the entries of value matrices are not independent, or the scores are random, and the
// noise of a layer is too large for the theory.
func LyapunovDepth(r finitedepth.Isotropic) (float64, error) {
	if deviation, independent := r.Covariance.Independent(); independent && r.Spread == 0 {
		layer, err := finitedepth.Antipodal(r.Dim, r.Beta, r.Attention, r.Sigma*deviation, r.Depth)
		if err != nil {
			return 0, err
		}
		return layer.Lyapunov(), nil
	}
	growth, err := r.Antipodal()
	if err != nil {
		return math.NaN(), nil
	}
	lambda, _ := growth.Lyapunov()
	return lambda, nil
}
