package phase

// hasTheory reports whether the theory speaks of the cells.
func (p *Experiment) hasTheory() bool { return p.Interaction.HasTheory() }
