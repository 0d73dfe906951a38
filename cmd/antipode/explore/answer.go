package explore

import (
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"antipode/experiments/wording"
)

// writeTime is how long a browser may take to receive one part of the answer to a request.
const writeTime = 30 * time.Second

// answer answers a request with a value as JSON.
func answer(w http.ResponseWriter, status int, value any) {
	answerBytes(w, status, "application/json", inJSON(value))
}

// inJSON returns a value, which must have only texts and finite numbers, as JSON.
func inJSON(value any) []byte {
	text, err := json.Marshal(value)
	impossible(err)
	return text
}

// impossible panics if there is an error that only a mistake in the program can cause.
func impossible(err error) {
	if err != nil {
		panic(err)
	}
}

// answerLines begins an answer to a request that consists of lines of JSON. answerLines returns the function
// that sends one line.
func answerLines[Line any](w http.ResponseWriter) (send func(Line) error) {
	w.Header().Set("Content-Type", "application/jsonl")
	control := http.NewResponseController(w)
	return func(line Line) error {
		control.SetWriteDeadline(time.Now().Add(writeTime))
		_, err := w.Write(append(inJSON(line), '\n'))
		if err == nil {
			err = control.Flush()
		}
		return err
	}
}

func answerBytes(w http.ResponseWriter, status int, kind string, content []byte) {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Length", strconv.Itoa(len(content)))
	http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeTime))
	w.WriteHeader(status)
	w.Write(content) // an error means that the client has gone
}

// spoken returns the text of an error as the page shows it, with long values abbreviated.
func spoken(err error) string { return wording.Abbreviated(err.Error(), wording.MessageColumns) }

// question reads the JSON of a request into value, and reports whether it succeeded. A request without valid
// JSON is refused.
func question(w http.ResponseWriter, r *http.Request, value any) bool {
	decoder := json.NewDecoder(r.Body)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(value); err != nil {
		refuse(w, http.StatusBadRequest, "not what the page asks: "+spoken(err))
		return false
	}
	return true
}

// number returns an integer from 0 to most from the query of a request. If the query has no valid number of
// this name, number returns the argument without.
func number(r *http.Request, name string, without, most int64) int64 {
	n, err := strconv.ParseInt(r.URL.Query().Get(name), 10, 64)
	if err != nil || n < 0 {
		return without
	}
	return min(n, most)
}
