package setting

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"antipode/experiments/internal/namedfile"
	"antipode/experiments/parameter"
	"antipode/sde"
)

// Start gives the positions of the tokens at time 0. The zero value stands for independent tokens that are
// uniform on the sphere. A start is written as a text, also in JSON. The text is one of
//
//	uniform, overlap:Z, opposite:M1,M2
//
// or the name of an Arrow file of states, which are positions of tokens. The checksum of the states follows
// the name once the file has been read.
type Start struct {
	name  string    // the text without a file; "" for uniform
	start sde.Start // nil for the uniform start and for a file
	file  *input[fileStates]
}

// starts lists the possible texts of starts in messages to the user.
const starts = "uniform, overlap:Z, opposite:M1,M2 or FILE.arrow"

// ParseStart returns the start that a text describes. If the text names a file of states, ParseStart reads
// the file.
func ParseStart(text string) (Start, error) {
	s, err := describedStart(text)
	if err == nil && s.file != nil {
		if _, err = s.file.get(readStates); err != nil {
			err = fmt.Errorf("%w; must be %s", err, starts)
		}
	}
	return s, err
}

// describedStart returns the start that a text describes, but does not read a file that the text names.
func describedStart(text string) (Start, error) {
	kind, rest, _ := strings.Cut(text, ":")
	switch {
	case strings.EqualFold(filepath.Ext(namedfile.Name(text)), ".arrow"):
		return Start{file: newInput[fileStates](text)}, nil
	case text == UniformStart:
		return Start{}, nil
	case kind == "overlap":
		if z, err := parameter.ParseNumber(rest); err == nil && math.Abs(z) <= 1 {
			return Start{name: text, start: sde.PairStart{Overlap: z}}, nil
		}
		return Start{}, errors.New("must be overlap:Z with Z from -1 to 1")
	case kind == "opposite":
		one, other, _ := strings.Cut(rest, ",")
		first, err := parameter.ParseWithin(one, 1, math.MaxInt32)
		second, err2 := parameter.ParseWithin(other, 1, math.MaxInt32)
		if err == nil && err2 == nil {
			return Start{name: text, start: sde.OppositeStart{First: int(first), Second: int(second)}}, nil
		}
	}
	return Start{}, fmt.Errorf("must be %s", starts)
}

// OfNumbered is like Of, for the trajectories from first to last: trajectory k starts from the end of
// trajectory k of the file. A trajectory that the file does not have is an error, unless the file has the
// trajectories 0 to n-1 or no numbers: then k is taken modulo the number of trajectories of the file.
func (s Start) OfNumbered(tokens, dim int, first, last int64) (sde.Start, error) {
	start, err := s.Of(tokens, dim)
	if err != nil || s.file == nil {
		return start, err
	}
	states, err := s.file.get(readStates)
	if err == nil {
		err = states.places.check(first, last)
	}
	switch {
	case err != nil:
		return nil, s.refused(err.Error())
	case states.places.of == nil:
		return start, nil
	}
	return &numberedStates{states.StatesStart, states.places}, nil
}

// StartAt returns the start from given states of the tokens. The text of this start describes the states, but
// cannot be parsed.
func StartAt(states *sde.StatesStart) Start { return Start{name: states.String(), start: states} }

// Of returns the simulated start for the given number of tokens and their dimension. Trajectory k starts from
// the k-th state of a file, counted from 0, modulo their number. The error is a *parameter.Error of the
// parameter start.
func (s Start) Of(tokens, dim int) (start sde.Start, err error) {
	start = s.start
	switch {
	case s.file != nil:
		states, err := s.file.get(readStates)
		if err != nil {
			return nil, s.refused(err.Error())
		}
		start = states.StatesStart
	case start == nil:
		start = sde.UniformStart{}
	}
	if err := start.Validate(tokens, dim); err != nil {
		// The error of Validate begins with the name of the start, but a *parameter.Error states that name
		// already.
		return nil, s.refused(strings.TrimPrefix(err.Error(), "start "+start.String()+": "))
	}
	return start, nil
}

// Unread reports whether the start names a file that has not been read yet. This is the case if the start
// comes from the metadata of a table, until its states are needed.
func (s Start) Unread() bool { return s.file.unread() }

func (s Start) refused(problem string) error {
	return parameter.Errorf("start", namedfile.Name(s.String()), "%s", problem)
}

// String returns the text of the start. For a file that has been read, the checksum of the states follows the
// name of the file.
func (s Start) String() string {
	switch {
	case s.file != nil:
		return s.file.text()
	case s.name == "":
		return UniformStart
	}
	return s.name
}

// MarshalText implements encoding.TextMarshaler by the method String.
func (s Start) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler. A file of states is read only when its states are
// needed.
func (s *Start) UnmarshalText(text []byte) error {
	described, err := describedStart(string(text))
	if err != nil {
		return parameter.Errorf("start", string(text), "%v", err)
	}
	*s = described
	return nil
}

// StartParameter returns the parameter of the positions of the tokens at time 0.
func StartParameter(field *Start) parameter.Parameter {
	return parameter.Parameter{Name: "start",
		Meaning: "tokens at time 0; overlap is a pair of tokens with that overlap, opposite two " +
			"clusters of the given sizes; with FILE, trajectory k continues from the end of trajectory " +
			"k of the file (modulo the number of trajectories there)", Value: startValue{field}}
}

type startValue struct{ field *Start }

func (v startValue) Set(text string) error {
	s, err := ParseStart(text)
	if err == nil {
		*v.field = s
	}
	return err
}
func (v startValue) NamesFile(text string) (name string, is bool) {
	s, err := describedStart(text)
	return namedfile.Name(text), err == nil && s.file != nil
}
func (v startValue) String() string      { return v.field.String() }
func (v startValue) Allowed() string     { return starts }
func (v startValue) Placeholder() string { return "START" }
func (v startValue) Check() error        { return nil }
