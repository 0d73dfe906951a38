package phase

// hasTheory reports whether the theory applies to the cells.
func (p *Experiment) hasTheory() bool { return p.Interaction.HasTheory() }
