package explore

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"time"

	"antipode/data"
	"antipode/experiments/simulate"
	"antipode/sphere"
)

// The constants mostTrajectories and so on limit an ensemble of trajectories on the page.
const (
	mostTrajectories = 500
	mostTogether     = 200 // largest number of tokens in each trajectory
	trackTimes       = 60  // number of times between start and horizon
	lawBins          = 40
)

// ensembleQuestion is the request of the page for the overlaps of many trajectories.
type ensembleQuestion struct {
	Page         string            `json:"page"`
	Given        map[string]string `json:"given"`
	Trajectories int64             `json:"trajectories"`
}

// ensembleAnswer is a line of the answer to an ensembleQuestion. The first line describes the ensemble, the
// following lines add trajectories, and the last lines contain the theory, if it is known for this ensemble.
type ensembleAnswer struct {
	liveProblem
	Line     string             `json:"line,omitempty"` // the command line of the ensemble
	Times    []float64          `json:"times,omitempty"`
	Overlaps [][]float64        `json:"overlaps,omitempty"` // overlaps of each trajectory by time
	Shares   *[3]simulate.Share `json:"shares,omitempty"`   // shares of the outcomes so far
	Law      [][]float64        `json:"law,omitempty"`      // for each time but the first, and each bin
	Expected *chances           `json:"expected,omitempty"`
	End      bool               `json:"end,omitempty"`
}

// chances are the probabilities of outcomes at the horizon, null if a probability is unknown.
type chances struct {
	Antipodal *float64 `json:"antipodal"`
	Single    *float64 `json:"single"`
	Depth     bool     `json:"depth"` // whether the probabilities hold at the depth, and not in the limit
}

// ensemble answers a request with the trajectories of an ensemble as soon as they are computed, and with the
// law of their overlap. Only the trajectories take a slot of the computations.
func (s *Server) ensemble(w http.ResponseWriter, r *http.Request) {
	var asked ensembleQuestion
	if !question(w, r, &asked) {
		return
	}
	open := s.openPage(w, asked.Page)
	if open == nil {
		return
	}
	release, free := acquire(r.Context(), s.slots)
	if !free {
		return
	}
	defer release()
	send := answerLines[ensembleAnswer](w)
	c, watched := s.watched(asked.Given)
	if c.ok() && watched.Tokens > mostTogether {
		c.problem = fmt.Sprintf("Many trajectories are shown of at most %d tokens.", mostTogether)
	}
	var tracked *simulate.Experiment
	if c.ok() {
		var err error
		tracked, err = watched.Tracked(max(1, min(asked.Trajectories, mostTrajectories)), trackTimes)
		c.note(err)
	}
	if !c.ok() {
		send(ensembleAnswer{liveProblem: liveProblem{c.problems, c.problem}})
		return
	}
	c.Given = saving(c.Given, tracked)
	err := sendTracks(r.Context(), c, tracked, send)
	release()
	if err == nil {
		err = open.sendLaws(r.Context(), tracked, send)
	}
	if err != nil && r.Context().Err() == nil {
		send(ensembleAnswer{liveProblem: liveProblem{Problem: spoken(err)}})
	}
}

// sendTracks sends the trajectories of an ensemble.
func sendTracks(
	ctx context.Context, c *configured, e *simulate.Experiment, send func(ensembleAnswer) error,
) error {
	times, err := e.Times()
	if err != nil {
		return err
	}
	if err := send(ensembleAnswer{Line: c.Line("ensemble.arrow"), Times: times}); err != nil {
		return err
	}
	counts, some, sent := map[sphere.Outcome]int64{}, ensembleAnswer{}, time.Now()
	flush := func() error {
		shares := simulate.Shares(counts)
		some.Shares = &shares
		err := send(some)
		some, sent = ensembleAnswer{}, time.Now()
		return err
	}
	err = e.Tracks(ctx, c.seed, func(track simulate.Track) error {
		some.Overlaps = append(some.Overlaps, track.Overlaps)
		counts[track.Outcome]++
		if time.Since(sent) < betweenEvents/2 {
			return nil
		}
		return flush()
	})
	if err == nil && some.Overlaps != nil {
		err = flush()
	}
	return err
}

// sendLaws sends the laws of the overlap in an ensemble, if they are known, and the end of the answer. A law
// may take some minutes and cannot be interrupted. So a page has one law in progress at most, and the next
// one waits for it, as long as somebody waits for its answer.
func (p *page) sendLaws(
	ctx context.Context, e *simulate.Experiment, send func(ensembleAnswer) error,
) error {
	times, err := e.Times()
	if err != nil {
		return err
	}
	release, free := acquire(ctx, p.laws)
	if !free {
		return nil
	}
	defer release()
	law, limit, err := e.LawOf(times[1:], lawBins)
	if err == nil && law != nil {
		err = send(ensembleAnswer{Law: law, Expected: chancesOf(limit, false)})
	}
	if err != nil || ctx.Err() != nil {
		return err
	}
	depth, err := e.AtDepth()
	if err == nil && !math.IsNaN(depth.Antipodal) {
		err = send(ensembleAnswer{Expected: chancesOf(depth, true)})
	}
	if err != nil {
		return err
	}
	return send(ensembleAnswer{End: true})
}

func chancesOf(c simulate.Chances, depth bool) *chances {
	return &chances{data.FiniteOrNil(c.Antipodal), data.FiniteOrNil(c.Single), depth}
}
