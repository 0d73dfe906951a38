package simulate

import (
	"context"
	"encoding/json"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/sde"
	"antipode/sphere"
	"antipode/sphere/must"
)

// Random queries and keys are refused for the equations without layers, and for attention matrices, which are
// limited to 1000 tokens.
func TestInteractionsThatAreNotSaved(t *testing.T) {
	random := experimenttest.Must(setting.ParseInteraction("resampled:2"))
	experimenttest.Refuse(t, func() *Experiment { return smallSimulation(saveAttention) }, []struct {
		Name, Problem string
		Change        func(e *Experiment)
	}{
		{"save", "1001 tokens have as many entries squared; must be outcomes or overlaps for more than 1000",
			func(s *Experiment) { s.Tokens = 1001 }},
		{"save", "matrices of queries and keys that are drawn anew", func(s *Experiment) {
			s.Interaction = random
		}},
		{"interaction", "must be left out with model transformer-sde", func(s *Experiment) {
			s.Save, s.Interaction, s.Model = saveOutcomes, random, setting.TransformerSDE
		}},
	})
	s := smallSimulation(saveAttention)
	if s.Tokens = 1000; s.Validate() != nil {
		t.Errorf("1000 tokens: %v", s.Validate())
	}
	if s.Tokens = 1001; s.Columns() != nil {
		t.Error("columns of a table that is refused")
	}
}

// What cannot be watched, compared or tracked is refused with the name of the parameter, before a frame.
func TestWatchedProblems(t *testing.T) {
	random, invalid, several := small(), small(), small()
	random.Interaction = experimenttest.Must(setting.ParseInteraction("resampled:2"))
	invalid.Depth = 0
	unread := small()
	must.Do(t, unread.Interaction.UnmarshalText([]byte(filepath.Join(t.TempDir(), "B.txt"))))
	several.varied.Beta = []float64{1, 2}
	look := Look{Seed: 1, Attention: true, Wanted: every}
	for _, c := range []struct {
		s             *Experiment
		name, problem string
	}{
		{random, "interaction", "must be left out, to see attention matrices"}, {invalid, "depth", "must be"},
		{several, "beta", "must be one value"}, {unread, "interaction", "no such file"},
	} {
		err := c.s.Watch(t.Context(), look, func(*Frame) error { t.Error("a frame"); return nil })
		experimenttest.CheckRefused(t, err, c.name, c.problem)
		for _, both := range [][2]*Experiment{{c.s, small()}, {small(), c.s}} {
			err := both[0].Compare(t.Context(), both[1], look,
				func([2]*Frame) error { t.Error("a frame"); return nil })
			experimenttest.CheckRefused(t, err, c.name, c.problem)
		}
	}
	_, err := several.Tracked(3, 4)
	experimenttest.CheckRefused(t, err, "beta", "must be one value")
	_, err = invalid.Times()
	experimenttest.CheckRefused(t, err, "depth", "must be")
	err = invalid.Tracks(t.Context(), 1, func(Track) error { t.Error("a track"); return nil })
	experimenttest.CheckRefused(t, err, "depth", "must be")
	_, _, err = invalid.LawOf([]float64{1}, 1)
	experimenttest.CheckRefused(t, err, "depth", "must be")
	_, err = invalid.AtDepth()
	experimenttest.CheckRefused(t, err, "depth", "must be")
	invalid.varied.Beta = []float64{1, 2}
	err = invalid.RunTogether(t.Context(), run.Options{}, run.Output{Save: saveOutcomes})
	experimenttest.CheckRefused(t, err, "depth", "must be")
}

// The shares of no trajectories are undefined.
func TestSharesOfNothing(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("shares of no trajectories")
		}
	}()
	Shares(map[sphere.Outcome]int64{sphere.Single: 0})
}

// Parameters that JSON cannot hold are an error.
func TestSimulationsThatAreNotJSON(t *testing.T) {
	s := New()
	s.Beta = math.Inf(1)
	if _, err := json.Marshal(s); err == nil || !strings.Contains(err.Error(), "+Inf") {
		t.Errorf("%v", err)
	}
}

// The probabilities beside a point of a figure are those of the limit for a model without an exact law, which
// is 0.22271 for two opposite clusters at time 50, and are not known if a layer may turn a token around, or
// for three tokens.
func TestChancesWithoutAnExactLaw(t *testing.T) {
	s := New()
	s.Model, s.Dim, s.Beta, s.Horizon = setting.TransformerSDE, 4, 1.5, 50
	if at, err := s.chances(); err != nil || !(math.Abs(at.Antipodal-0.22271) <= 5e-5) ||
		!(math.Abs(at.Single+at.Antipodal-1) <= 1e-3) {
		t.Errorf("%+v, %v", at, err)
	}
	turning, three := New(), New()
	turning.Model, turning.Law, turning.Epsilon, turning.Depth = setting.Hybrid, sde.Gaussian, 1, 10
	three.Tokens = 3
	for _, s := range []*Experiment{turning, three} {
		if at, err := s.chances(); err != nil || !math.IsNaN(at.Antipodal) || !math.IsNaN(at.Single) {
			t.Errorf("%d tokens of %s: %+v, %v", s.Tokens, s.Model, at, err)
		}
	}
}

// A comparison whose context has ended returns the reason.
func TestComparisonsEnd(t *testing.T) {
	ctx, end := context.WithCancelCause(t.Context())
	frames := 0
	err := small().Compare(ctx, small(), Look{Seed: 1, Wanted: every}, func([2]*Frame) error {
		if frames++; frames == 3 {
			end(experimenttest.ErrNoRoom)
		}
		return nil
	})
	if err != experimenttest.ErrNoRoom || frames != 3 {
		t.Errorf("%v after %d frames", err, frames)
	}
}
