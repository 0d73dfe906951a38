package overlap

import (
	"fmt"

	"antipode/experiments/parameter"
	"antipode/overlap"
	"antipode/sphere/invariant"
)

// Certificate is the columns of a table with --certify.
type Certificate struct {
	Low    float64 `column:"p_antipodal_low,nullable" meaning:"p_antipodal is not below this, proved"`
	High   float64 `column:"p_antipodal_high,nullable" meaning:"p_antipodal is not above this, proved"`
	Proved Proved  `column:"proved" otherwise:"no" meaning:"whether there is a proof of the two before"`
}

// Proved says whether there is a proof.
type Proved int8

// The values of Proved.
const (
	NotProved Proved = iota
	IsProved
)

// Labels implements data.Labelled.
func (Proved) Labels() []string { return []string{"no", "yes"} }

// certify is the parameter of the proof.
func (o *Experiment) certify() parameter.Parameter {
	return parameter.Parameter{Name: "certify",
		Meaning: fmt.Sprintf("bounds of the limit of P(antipodal) that are proved, in interval arithmetic, "+
			"at most 1e-12 apart up to d = %d and β = %d", overlap.LargestCertifiedDim,
			overlap.LargestCertifiedBeta),
		Value: parameter.Switch{On: &o.Certify},
		Inapplicable: parameter.Unless(o.certifiable(), "the proof is for two equal clusters under values of "+
			"independent entries; must be left out beside --epsilon, --masses, --covariance, --interaction, "+
			"--mlp and --drift")}
}

// certifiable reports whether the proof is for such a question.
func (o *Experiment) certifiable() bool {
	return o.Epsilon == nil && o.equalMasses() && o.Covariance == invariant.Ginibre && !o.resampled() &&
		o.beside().None()
}

// showsCertificate reports whether bounds that are proved are asked for, and apply.
func (o *Experiment) showsCertificate() bool { return o.Certify && o.certifiable() }

// fillCertificate fills in the bounds of the probability of the antipodal outcome, where there is a proof.
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

// certificateText is what the report says of the proof for a row.
func (o *Experiment) certificateText(r fullRow) string {
	if r.Proved != IsProved {
		return fmt.Sprintf("P(antipodal) is not proved: there are proofs up to d = %d and β = %d, "+
			"between -1 and 1, and not at β_c", overlap.LargestCertifiedDim, overlap.LargestCertifiedBeta)
	}
	return fmt.Sprintf("proved: P(antipodal) is from %.17g to %.17g", r.Low, r.High)
}
