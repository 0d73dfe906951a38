package explore

import (
	"fmt"
	"maps"
	"math"

	"antipode/experiments/simulate"
)

// A trajectory on the page has the following limits, in addition to mostTokens.
const (
	mostDim      = 1000
	mostNumbers  = 200_000 // largest number of coordinates of the tokens of one layer
	mostLayers   = 1_000_000
	mostFrames   = 1 << 20 // largest number of numbers in one answer
	mostAttended = 200     // largest number of tokens whose attention matrix is shown
)

// scene is what a page shows in motion: one trajectory, or two trajectories on the same noise.
type scene struct {
	first, second *simulate.Experiment // second is nil if there is one trajectory
	seed          uint64
	attention     bool
}

// horizon returns the number of layers of the trajectories of the scene.
func (s *scene) horizon() int64 {
	return int64(math.Round(s.first.Horizon * float64(s.first.Depth)))
}

func (s *scene) trajectories() int {
	if s.second == nil {
		return 1
	}
	return 2
}

// matrix returns the number of entries of the attention matrix in a frame of the scene, or 0 if the page does
// not ask for attention matrices.
func (s *scene) matrix() int {
	if !s.attention {
		return 0
	}
	return int(s.first.Tokens * s.first.Tokens)
}

// numbers returns the number of numbers in a frame of the scene.
func (s *scene) numbers() int {
	return s.trajectories() * (4 + int(s.first.Tokens)*int(s.first.Dim+1) + s.matrix())
}

// scene returns the scene that a liveQuestion asks for, or nil if its parameters have mistakes. Server.scene
// also returns the configuration of the first trajectory, which records the mistakes of both trajectories.
func (s *Server) scene(asked liveQuestion) (*configured, *scene) {
	c, first := s.watched(asked.Given)
	if !c.ok() {
		return c, nil
	}
	of := &scene{first: first, seed: c.seed, attention: asked.Attention}
	if asked.Attention && first.Tokens > mostAttended {
		c.problem = fmt.Sprintf("Attention is shown of at most %d tokens.", mostAttended)
		return c, nil
	}
	if asked.Second != nil {
		given := maps.Clone(c.Given)
		maps.Copy(given, asked.Second)
		other, second := s.watched(given)
		if !other.ok() {
			return other, nil
		}
		of.second = second
	}
	if asked.Start == nil {
		return c, of
	}
	if err := of.from(asked.Start); err != nil {
		c.note(err)
		return c, nil
	}
	c.Given["start"] = startFile
	return c, of
}

// startFile is the name of the file from which the command line starts the simulation if the user has moved
// tokens on the page.
const startFile = "start.arrow"

// from makes all trajectories of the scene start from the given tokens.
func (s *scene) from(tokens []float64) (err error) {
	if s.first, err = s.first.From(tokens); err == nil && s.second != nil {
		s.second, err = s.second.From(tokens)
	}
	return err
}

// watched returns the simulation that the page watches, and its configuration. The command line of the
// configuration saves the states that the page shows.
func (s *Server) watched(given map[string]string) (*configured, *simulate.Experiment) {
	e := simulate.New()
	c := s.with(e, given, false)
	if !c.ok() {
		return c, nil
	}
	watched, err := e.Watched()
	if c.note(err); !c.ok() {
		return c, nil
	}
	layers := watched.Horizon * float64(watched.Depth)
	for _, bound := range []struct {
		name    string
		holds   bool
		problem string
	}{
		{"dim", watched.Tokens*watched.Dim <= mostNumbers,
			fmt.Sprintf("with the tokens these are %d numbers; must be at most %d on this page",
				watched.Tokens*watched.Dim, mostNumbers)},
		{"tokens", watched.Tokens >= 2 && watched.Tokens <= mostTokens,
			fmt.Sprintf("must be from 2 to %d on this page", mostTokens)},
		{"dim", watched.Dim <= mostDim, fmt.Sprintf("must be at most %d on this page", mostDim)},
		{"horizon", layers <= mostLayers,
			fmt.Sprintf("these are %.0f layers; must be at most %d on this page", layers, mostLayers)},
	} {
		if !bound.holds {
			c.problems[bound.name] = bound.problem
		}
	}
	c.Given = saving(c.Given, watched)
	return c, watched
}
