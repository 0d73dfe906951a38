package lanes

// MassStepper is a Stepper that also advances atoms, which stand for several coincident tokens. SetMasses
// sets, for all later steps, the masses: how many coincident tokens each row of the tokens stands for.
type MassStepper interface {
	Stepper
	SetMasses(masses []float64)
}

// steppedAtoms are steppedTokens that merge coincident tokens into atoms. The method Tokens still returns all
// N tokens.
type steppedAtoms struct {
	*steppedTokens
	stepper MassStepper
	atoms   []atoms
	all     []float64 // positions of all tokens, N×d
}

func newSteppedAtoms(l *steppedTokens, stepper MassStepper, count int) *steppedAtoms {
	n := l.process.Count
	merging := &steppedAtoms{l, stepper, make([]atoms, count), make([]float64, n*l.process.Dim)}
	for k := range merging.atoms {
		merging.atoms[k] = newAtoms(n)
	}
	return merging
}

func (l *steppedAtoms) Start(k int, trajectory int64) error {
	l.atoms[k].reset()
	return l.steppedTokens.Start(k, trajectory)
}

func (l *steppedAtoms) Move(k, from int) {
	l.steppedTokens.Move(k, from)
	l.atoms[k], l.atoms[from] = l.atoms[from], l.atoms[k]
}

func (l *steppedAtoms) Tokens(k int) []float64 {
	return l.atoms[k].expand(l.all, l.steppedTokens.Tokens(k), l.process.Dim)
}

func (l *steppedAtoms) Advance(all []Lane, layers int64) {
	d := l.process.Dim
	for k := range all {
		at, x, a := &all[k], l.steppedTokens.Tokens(k), &l.atoms[k]
		l.stepper.SetMasses(a.masses)
		for end := at.Layer + layers; at.Layer < end && at.Err == nil; {
			l.step(at, x[:len(a.masses)*d])
			if at.Layer%mergeInterval == 0 && len(a.masses) > 1 {
				a.merge(x[:len(a.masses)*d], d, d, mergeDistance)
				l.stepper.SetMasses(a.masses)
			}
		}
	}
}
