package overlap

import (
	"fmt"
	"math"

	"antipode/experiments/parameter"
	"antipode/experiments/theory"
	"antipode/overlap"
	"antipode/overlap/finitedepth"
	"antipode/sphere/invariant"
)

// Certificate holds the columns with proved bounds on the probability of the antipodal outcome, which the
// switch --certify adds to a table.
type Certificate struct {
	Low    float64  `column:"p_antipodal_low,nullable" meaning:"proved lower bound of p_antipodal"`
	High   float64  `column:"p_antipodal_high,nullable" meaning:"proved upper bound of p_antipodal"`
	_      struct{} `meaning:"whether the bounds p_antipodal_low and p_antipodal_high of the antipodal"`
	_      struct{} `meaning:"probability are proved"`
	Proved Proved   `column:"proved" otherwise:"no"`
}

// DepthCertificate holds the columns with proved bounds on the critical β at a depth, which the switch
// --certify adds to a table with a depth.
type DepthCertificate struct {
	_           struct{} `meaning:"proved lower bound of the critical β at the given depth: at this β"`
	_           struct{} `meaning:"overlap -1 does not attract"`
	BetaCLow    float64  `column:"beta_c_depth_low,nullable"`
	_           struct{} `meaning:"proved upper bound of the critical β at the given depth: at this β"`
	_           struct{} `meaning:"overlap -1 attracts"`
	BetaCHigh   float64  `column:"beta_c_depth_high,nullable"`
	_           struct{} `meaning:"whether the bounds beta_c_depth_low and beta_c_depth_high of the critical"`
	_           struct{} `meaning:"β are proved"`
	BetaCProved Proved   `column:"beta_c_depth_proved" otherwise:"no"`
}

// Proved says whether bounds in a row of the table are proved.
type Proved int8

// The values of Proved: there is no proof, or there is a proof.
const (
	NotProved Proved = iota
	IsProved
)

// Labels implements data.Labelled.
func (Proved) Labels() []string { return []string{"no", "yes"} }

// certify returns the parameter of the switch that adds proved bounds to the table.
func (o *Experiment) certify() parameter.Parameter {
	return parameter.Parameter{Name: "certify",
		Meaning: fmt.Sprintf("adds proved bounds on the limit of P(antipodal), from interval arithmetic, "+
			"at most 1e-12 apart up to d = %d and β = %d; with --depth also on β_c at that depth",
			overlap.LargestCertifiedDim, overlap.LargestCertifiedBeta),
		Value: parameter.Switch{On: &o.Certify},
		Inapplicable: parameter.Unless(o.certifiable(), "the proof is for two equal clusters under values "+
			"of independent entries; must be left out beside --epsilon, --masses, --covariance, "+
			"--interaction, --mlp and --drift")}
}

// certifiable reports whether the proof of bounds covers the cells of the experiment.
func (o *Experiment) certifiable() bool {
	return o.Epsilon == nil && o.equalMasses() && o.Covariance == invariant.Ginibre && !o.resampled() &&
		o.beside().None()
}

// showsCertificate reports whether proved bounds are requested and available.
func (o *Experiment) showsCertificate() bool { return o.Certify && o.certifiable() }

// fillCertificate sets proved bounds of the antipodal probability in a row, if there is a proof.
func (o *Experiment) fillCertificate(r *fullRow) {
	if !o.showsCertificate() {
		return
	}
	e, err := overlap.CertifyUniform(int(r.Dim), r.Beta)
	if o.Z0 != nil {
		e, err = overlap.CertifyFrom(int(r.Dim), r.Beta, *o.Z0)
	}
	const widest = 1e-9
	if err == nil && e.High-e.Low <= widest {
		r.Low, r.High, r.Proved = e.Low, e.High, IsProved
	}
}

// showsDepthCertificate reports whether proved bounds at a finite depth are requested and available.
func (o *Experiment) showsDepthCertificate() bool { return o.showsCertificate() && o.Depth != nil }

// depthCertificate returns a proved interval that contains the critical β at the depth of the experiment.
func (o *Experiment) depthCertificate(d int) (DepthCertificate, error) {
	unknown := DepthCertificate{BetaCLow: math.NaN(), BetaCHigh: math.NaN()}
	if !o.showsDepthCertificate() {
		return unknown, nil
	}
	e, proved, err := finitedepth.CertifyCriticalBeta(d, theory.Attention(o.Attention), 1, int(*o.Depth))
	if err != nil || !proved {
		return unknown, err
	}
	return DepthCertificate{BetaCLow: e.Low, BetaCHigh: e.High, BetaCProved: IsProved}, nil
}

// bounded returns the critical β at a depth, or the middle of the proved bounds if it is outside the bounds:
// the critical β is the zero of a computed Lyapunov exponent, whose rounding errors may exceed the distance
// of the bounds.
func (c DepthCertificate) bounded(critical float64) float64 {
	if critical < c.BetaCLow || critical > c.BetaCHigh {
		return float64(0.5 * (c.BetaCLow + c.BetaCHigh))
	}
	return critical
}

// depthCertificateText states the proved interval of the critical β at the depth, for the report.
func (o *Experiment) depthCertificateText(r fullRow) string {
	if r.BetaCProved != IsProved {
		return "there is no proof of β_c at this depth"
	}
	return fmt.Sprintf("proved: β_c at this depth is from %.17g to %.17g", r.BetaCLow, r.BetaCHigh)
}

// certificateText states the proved bounds of the antipodal probability of a row, for the report.
func (o *Experiment) certificateText(r fullRow) string {
	if r.Proved != IsProved {
		return fmt.Sprintf("P(antipodal) is not proved: there are proofs up to d = %d and β = %d, "+
			"between -1 and 1, and not at β_c", overlap.LargestCertifiedDim, overlap.LargestCertifiedBeta)
	}
	return fmt.Sprintf("proved: P(antipodal) is from %.17g to %.17g", r.Low, r.High)
}
