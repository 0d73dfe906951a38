package explore

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"net/http"

	"antipode/experiments/simulate"
)

// liveQuestion is the request of the page for some layers of a trajectory: the layers From, From+Step,
// From+2·Step and so on. A negative From stands for 0, and Step is at least 1. The last layer of the
// trajectory is always included.
type liveQuestion struct {
	Page   string            `json:"page"`
	Given  map[string]string `json:"given"`
	From   int64             `json:"from"`
	Step   int64             `json:"step"`
	Frames int               `json:"frames"`
	// Second holds the parameters in which a second trajectory on the same noise differs from the first
	// trajectory; nil if there is no second trajectory.
	Second map[string]string `json:"second"`
	// Attention says whether the answer has attention matrices.
	Attention bool `json:"attention"`
	// Start holds the tokens at layer 0 (N×d); nil if the parameter start gives these tokens.
	Start []float64 `json:"start"`
}

// liveProblem is the answer to a request with a mistake.
type liveProblem struct {
	Problems map[string]string `json:"problems"`
	Problem  string            `json:"problem"`
}

// headNumbers is the number of numbers that precede the frames in the answer to a liveQuestion.
const headNumbers = 7

// live answers a liveQuestion with layers of trajectory 0 of the run with the given seed, as little-endian
// float64 numbers. The answer begins with seven numbers: the number of tokens, the number of dimensions, the
// number of all layers, the number of frames, 1 if the last frame is the end and otherwise 0, the number of
// trajectories, and the number of entries of an attention matrix. For each frame and each trajectory, the
// following numbers are the layer, the outcome, whether there is an antipodal pair, the energy as a fraction
// of its largest value, the overlaps with the first token, the tokens, and the attention matrix.
func (s *Server) live(w http.ResponseWriter, r *http.Request) {
	var asked liveQuestion
	if !question(w, r, &asked) {
		return
	}
	open := s.openPage(w, asked.Page)
	if open == nil {
		return
	}
	c, of := s.scene(asked)
	if !c.ok() {
		answer(w, http.StatusUnprocessableEntity, liveProblem{c.problems, c.problem})
		return
	}
	numbers := of.numbers()
	asked.From, asked.Step = max(0, asked.From), max(1, min(asked.Step, mostLayers))
	asked.Frames = max(1, min(asked.Frames, mostFrames/numbers))
	frames, err := open.watching.look(r.Context(), of, asked)
	if err != nil {
		if r.Context().Err() == nil {
			c.note(err)
			answer(w, http.StatusUnprocessableEntity, liveProblem{c.problems, c.problem})
		}
		return
	}
	layers := float64(of.horizon())
	count := len(frames) / numbers
	end := 0.0
	if count == 0 || frames[(count-1)*numbers] == layers {
		end = 1
	}
	w.Header().Set("Antipode-Command", headerText(c.Line("live.arrow")))
	content := make([]byte, 0, 8*(headNumbers+len(frames)))
	head := []float64{float64(of.first.Tokens), float64(of.first.Dim), layers, float64(count), end,
		float64(of.trajectories()), float64(of.matrix())}
	for _, x := range append(head, frames...) {
		content = binary.LittleEndian.AppendUint64(content, math.Float64bits(x))
	}
	answerBytes(w, http.StatusOK, "application/octet-stream", content)
}

// headerText encodes a text as JSON in visible ASCII characters, the only characters that an HTTP header may
// contain.
func headerText(text string) string {
	var ascii []byte
	for _, r := range string(inJSON(text)) {
		if r < 0x80 {
			ascii = append(ascii, byte(r))
		} else if r < 0x10000 {
			ascii = fmt.Appendf(ascii, `\u%04x`, r)
		}
	}
	return string(ascii)
}

// saving returns the given values of parameters together with the values that make the command save the
// states that the page shows, of the trajectories that the page shows. If the index of a trajectory is given,
// it stands in place of the number of trajectories.
func saving(given map[string]string, watched *simulate.Experiment) map[string]string {
	with := map[string]string{}
	maps.Copy(with, given)
	for _, p := range watched.Parameters() {
		_, isGiven := given[p.Name]
		switch p.Name {
		case "save", "every", "trajectories", "trajectory":
			if p.Inapplicable == "" && (isGiven || p.Name != "trajectory") {
				with[p.Name] = p.Value.String()
			}
		}
	}
	return with
}
