// Package questions answers questions on the theory of the overlap, for programs: a line of JSON in, a line
// of JSON out.
//
//	err := questions.Answer(ctx, 0, os.Stdin, os.Stdout)
package questions

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"antipode/data"
	"antipode/experiments/parameter"
	"antipode/experiments/wording"
)

// longestLine is how many bytes a line may have.
const longestLine = 64 << 20

// Answer answers the question in each line of r by a line on w, in their order, until r or the context ends;
// workers is how many points are computed at once, 0 for one a processor. A question is an object
//
//	{"id": 1, "columns": ["p_antipodal"], "parameters": {"dim": 4, "beta": [0.5, 1]}}
//
// in which columns are those of the overlap experiment, parameters are its own, and lists, all of the same
// length, have a value for each point. Its answer is an object in which each column has the values at the
// points, null where the theory says nothing, or one that says what is wrong with the question:
//
//	{"id": 1, "columns": {"p_antipodal": [0.0213, 0.1199]}}
//	{"id": 1, "error": "beta -1: must be a number from 0 to 1000"}
//
// The error is that of r, of w or of the context.
func Answer(ctx context.Context, workers int, r io.Reader, w io.Writer) error {
	in := bufio.NewReaderSize(r, 1<<16)
	for {
		line, err := readLine(in)
		if err != nil && !errors.Is(err, errLong) {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		text := answerTo(ctx, workers, line, err)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if _, err := w.Write(append(text, '\n')); err != nil {
			return err
		}
	}
}

var errLong = fmt.Errorf("the line is longer than %d bytes", longestLine)

// readLine reads a line, of which no more is kept than allowed; the last one may have no end.
func readLine(in *bufio.Reader) (line []byte, err error) {
	long := false
	for {
		part, err := in.ReadSlice('\n')
		if long = long || len(line)+len(part) > longestLine; long {
			line = nil
		} else {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && (!errors.Is(err, io.EOF) || len(line) == 0 && !long):
			return nil, err
		case long:
			return nil, errLong
		}
		return line, nil
	}
}

// answerTo is the answer to the question in a line, or to a line that could not be read.
func answerTo(ctx context.Context, workers int, line []byte, err error) []byte {
	var q question
	var columns []byte
	if err == nil {
		q, err = readQuestion(line)
	}
	if err == nil {
		columns, err = columnsOf(ctx, workers, q)
	}
	if err == nil {
		return fmt.Appendf(nil, `{"id":%d,"columns":%s}`, q.ID, columns)
	}
	said, err := json.Marshal(problem(err))
	if err != nil {
		panic(err) // a text has a JSON form
	}
	return fmt.Appendf(nil, `{"id":%d,"error":%s}`, q.ID, said)
}

// problem is an error as one line; of a value that is not allowed it names the parameter.
func problem(err error) string {
	var value *parameter.Error
	if errors.As(err, &value) {
		err = value
	}
	return wording.Abbreviated(data.Printable(err.Error()), wording.MessageColumns)
}
