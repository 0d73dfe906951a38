package simulate

import (
	"fmt"

	"antipode/experiments/theory"
	"antipode/overlap"
	"antipode/sde"
)

// separationText explains why most trajectories of more than two tokens are not clustered although two tokens
// would become antipodal: the tokens within each of two opposite clusters separate. The text is "" if this
// explanation does not apply or is not known to apply.
func (s *Experiment) separationText(end fractionRow) string {
	if s.Tokens <= 2 || 2*end.Unclustered <= end.Trajectories || !s.Interaction.Identity() {
		return ""
	}
	cell := s.beside().With(sde.Cell{Model: s.newModel(), Attention: s.Attention, Tokens: 2, Dim: int(s.Dim),
		Beta: s.Beta, Depth: int(s.Depth)})
	d, err := theory.Diffusion(cell)
	if err != nil || d.MinusOne() != overlap.Attracting {
		return ""
	}
	within, ok := d.Within()
	if !ok || within <= 0 {
		return ""
	}
	return fmt.Sprintf("\nTwo tokens that are opposite stay so, by theory; %d do not: within two opposite "+
		"clusters of\nequal size tokens separate, at the rate %.4g > 0 per unit of time "+
		"(exponent_within of\nantipode overlap).", s.Tokens, within)
}
