// Package questions answers questions of other programs about the theory of the overlap of tokens. A question
// is one line of JSON, and its answer is one line of JSON.
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

// longestLine is the largest length of the line of a question, in bytes.
const longestLine = 64 << 20

// Answer answers the question in each line of r by a line on w, in order, until r or the context ends. The
// argument workers is the number of points that are computed at the same time, with 0 for one per processor.
// A question is a JSON object
//
//	{"id": 1, "columns": ["p_antipodal"], "parameters": {"dim": 4, "beta": [0.5, 1]}}
//
// where columns are names of columns of overlap.BlockRow, and parameters are parameters of the overlap
// experiment that add neither rows nor other columns. A list of values of a parameter has one value for each
// point; all lists must have the same length. The answer is an object with a list of the values at the points
// for each column, in which null means that the theory has no value. If the question has an error, the answer
// is an object with this error:
//
//	{"id": 1, "columns": {"p_antipodal": [0.0213, 0.1199]}}
//	{"id": 1, "error": "beta -1: must be a number from 0 to 1000"}
//
// Answer returns nil at the end of r. If reading r or writing to w fails, or the context ends, Answer returns
// that error.
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

// readLine reads the line of a question. The last line need not end with a newline. A line that is too long
// is not stored beyond the allowed length.
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

// answerTo returns the answer to the question in a line. The argument err is the error of reading this line.
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
	said, _ := json.Marshal(problem(err)) // every text has a JSON form
	return fmt.Appendf(nil, `{"id":%d,"error":%s}`, q.ID, said)
}

// problem returns the text of an error as one line. If the value of a parameter is not allowed, the line
// names the parameter.
func problem(err error) string {
	var value *parameter.Error
	if errors.As(err, &value) {
		err = value
	}
	return wording.Abbreviated(data.Printable(err.Error()), wording.MessageColumns)
}
