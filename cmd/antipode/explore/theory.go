package explore

import (
	"bytes"
	"fmt"
	"net/http"
	"time"

	"antipode/data"
	"antipode/experiments/overlap"
	"antipode/experiments/run"
)

// theoryQuestion is the request of the page for the theory of the overlap at one or several points, which are
// choices of the parameters.
type theoryQuestion struct {
	Page  string            `json:"page"`
	Given map[string]string `json:"given"`
}

// theoryAnswer is a line of the answer to a theoryQuestion: what is known so far, and what is still being
// computed.
type theoryAnswer struct {
	liveProblem
	picture
	Text    string `json:"text"`
	Line    string `json:"line"` // the command line that computes this theory
	Pending string `json:"pending"`
}

// theory answers a theoryQuestion in up to three lines. The first line has everything that takes hardly any
// time, the second line also has the law of the overlap at the horizon, and the third line the exact law at
// the depth.
func (s *Server) theory(w http.ResponseWriter, r *http.Request) {
	var asked theoryQuestion
	if !question(w, r, &asked) {
		return
	}
	open := s.openPage(w, asked.Page)
	if open == nil {
		return
	}
	whole := overlap.New()
	c := s.with(whole, asked.Given, false)
	points := len(whole.Dim) * len(whole.Beta) * max(1, len(whole.Epsilon))
	if c.ok() && points > mostPoints {
		c.problems["beta"] = fmt.Sprintf(
			"these are %d points, with the dimensions; must be at most %d here, and a run takes more",
			points,
			mostPoints,
		)
	}
	send := answerLines[theoryAnswer](w)
	if !c.ok() {
		send(theoryAnswer{liveProblem: liveProblem{c.problems, c.problem}})
		return
	}
	for k, stage := range stages(*whole) {
		// The slow parts of an answer wait until the slider rests, and until the slow parts of the previous
		// answer are computed.
		if k == 1 {
			select {
			case <-time.After(betweenParts):
			case <-r.Context().Done():
			}
			if release, free := acquire(r.Context(), open.slow); free {
				defer release()
			}
		}
		if r.Context().Err() != nil {
			return
		}
		a := theoryAnswer{Line: c.Line("overlap.arrow"), Pending: stage.pending}
		if err := s.theoryOf(r, &a, &stage.Experiment); err != nil {
			a.Problem = spoken(err)
		}
		if send(a) != nil {
			return
		}
	}
}

// mostPoints is the largest number of points, or choices of parameters, whose curves one figure of the theory
// shows.
const mostPoints = 6

// betweenParts is the wait after the first part of the answer to a theoryQuestion. Because of this wait, only
// first parts are computed while a slider moves.
const betweenParts = 80 * time.Millisecond

// stage is the overlap experiment restricted to some quantities. A stage also says which quantities later
// stages compute.
type stage struct {
	overlap.Experiment
	pending string
}

func stages(whole overlap.Experiment) []stage {
	limit, horizon := whole, whole
	limit.Depth, limit.Horizon, horizon.Depth = nil, nil, nil
	all := []stage{{limit, ""}}
	if whole.Horizon != nil {
		all[0].pending = "the law at the horizon"
		all = append(all, stage{horizon, ""})
	}
	if whole.Depth != nil {
		all[len(all)-1].pending = "what holds at the depth"
		all = append(all, stage{whole, ""})
	}
	return all
}

// theoryOf adds the theory that an overlap experiment computes to an answer.
func (s *Server) theoryOf(r *http.Request, a *theoryAnswer, e *overlap.Experiment) error {
	table := data.NewTable(run.Schema(e, 1))
	var text bytes.Buffer
	err := e.Run(r.Context(), run.Options{Seed: 1}, table)
	if err == nil {
		err = e.Describe(&text, table)
	}
	if err != nil {
		return err
	}
	a.Text = text.String()
	a.picture = draw(e, table)
	return nil
}
