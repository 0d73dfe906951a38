package lanes

import "antipode/sde/internal/kernels"

// Clusters is a Process of two tokens, or two clusters of coincident tokens, whose overlap is a Markov chain.
type Clusters struct {
	Process
	Masses  [2]float64 // numbers of tokens of the two clusters
	Overlap *float64   // overlap at layer 0; nil for the overlap of the tokens that Process.Start writes
}

func (c *Clusters) equalMasses() bool { return c.Masses[0] == c.Masses[1] }

// starts computes the overlaps of the trajectories of a chain at layer 0.
type starts struct {
	of      Clusters
	tokens  []float64 // two tokens at layer 0, 2×d
	normals kernels.NormalSequence
}

// squares returns the overlap of a trajectory at layer 0, which is exact if Clusters.Overlap gives it.
func (s *starts) squares(trajectory int64) (squares, error) {
	if z := s.of.Overlap; z != nil {
		return squares{above: 2 * (1 + *z), below: 2 * (1 - *z)}, nil
	}
	d := s.of.Dim
	if s.tokens == nil {
		s.tokens = make([]float64, 2*d)
	}
	s.normals.Restart(s.of.Stream, kernels.Starts, trajectory, 0)
	err := s.of.Start(s.tokens, d, trajectory, s.normals.Next)
	return squaresOf(s.tokens[:d], s.tokens[d:]), err
}
