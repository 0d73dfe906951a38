package questions

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// mostPoints is the largest number of points in one question.
const mostPoints = 1_000_000

// question asks for some columns of the theory of the overlap at one or more points, which are choices of the
// parameters.
type question struct {
	ID         int64            `json:"id"`
	Columns    []string         `json:"columns"`
	Parameters map[string]texts `json:"parameters"`
}

// readQuestion reads a question from a line. If readQuestion returns an error, it also returns the ID of the
// question, or 0 if the ID could not be read.
func readQuestion(line []byte) (q question, err error) {
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&q); err != nil {
		return q, fmt.Errorf("%s; a line must be an object "+
			`{"id":1,"columns":["p_antipodal"],"parameters":{"dim":4,"beta":[0.5,1]}}`, jsonProblem(err))
	}
	if _, err := decoder.Token(); err != io.EOF {
		return q, errors.New("there is more in the line than one JSON object")
	}
	for _, name := range slices.Sorted(maps.Keys(q.Parameters)) {
		if err := q.Parameters[name].err; err != nil {
			return q, fmt.Errorf("%.40q: %w", name, err)
		}
	}
	return q, nil
}

// jsonProblem describes what is wrong with a line of JSON, without words of the Go language.
func jsonProblem(err error) string {
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &kind) && kind.Field == "":
		return fmt.Sprintf("is a JSON %s", kind.Value)
	case errors.As(err, &kind):
		return fmt.Sprintf("%.40q is a JSON %s", kind.Field, kind.Value)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "no whole JSON"
	}
	return strings.TrimPrefix(err.Error(), "json: ")
}

// points returns the number of points of the question: the length of its lists, which must all have this
// length, or 1 if the question has no lists.
func (q question) points() (int, error) {
	count, longest := 1, ""
	for name, values := range q.Parameters {
		switch {
		case !values.list:
		case longest != "" && len(values.all) != count:
			names := []string{longest, name}
			slices.Sort(names)
			return 0, fmt.Errorf("lists must have one length, but that of %.40q is %d and that of %.40q %d",
				names[0], len(q.Parameters[names[0]].all), names[1], len(q.Parameters[names[1]].all))
		default:
			count, longest = len(values.all), name
		}
	}
	if count > mostPoints {
		return 0, fmt.Errorf("%d points; must be at most %d in a line", count, mostPoints)
	}
	return count, nil
}

// at returns the values of the parameters at a point of the question, as texts by the names of the
// parameters.
func (q question) at(point int) map[string]string {
	given := make(map[string]string, len(q.Parameters))
	for name, values := range q.Parameters {
		if values.list {
			given[name] = values.all[point]
		} else {
			given[name] = values.all[0]
		}
	}
	return given
}

// texts holds the values of a parameter as texts: one JSON string, number or boolean, or a list of them.
type texts struct {
	all  []string
	list bool
	err  error // says what is wrong with a value
}

// UnmarshalJSON implements json.Unmarshaler. UnmarshalJSON stores the error of a value that is not allowed
// and does not return it, because a decoder would then not read the rest of the question, which may have the
// ID.
func (t *texts) UnmarshalJSON(text []byte) error {
	var list []json.RawMessage
	if t.list = json.Unmarshal(text, &list) == nil && text[0] == '['; !t.list {
		list = []json.RawMessage{text}
	}
	t.all = make([]string, len(list))
	for k, value := range list {
		t.err = cmp.Or(t.err, setText(&t.all[k], value))
	}
	return nil
}

// setText sets a text to the content of a JSON string, or to the JSON form of a number or a boolean.
func setText(text *string, value json.RawMessage) error {
	switch value[0] {
	case '"':
		return json.Unmarshal(value, text)
	case '{', '[', 'n':
		return fmt.Errorf("%.40q is no value; must be a number, a string, true or false, or a list of them",
			value)
	}
	*text = string(value)
	return nil
}
