//go:build js && wasm

// Browser runs the server of package explore inside an exported page, as WebAssembly in a worker of the
// browser. A request of the page is a call of the JavaScript function ask. The answer to a request is posted
// in pieces, each with the number of the request.
package main

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"syscall/js"

	"antipode/cmd/antipode/explore"
)

func main() {
	answers := explore.New(explore.Options{Keep: true}).Answers()
	var open sync.Map // functions that cancel the requests in progress, by the numbers of the requests
	js.Global().Set("ask", js.FuncOf(func(_ js.Value, values []js.Value) any {
		id, method, path := values[0].Int(), values[1].String(), values[2].String()
		body := strings.NewReader(values[3].String())
		ctx, end := context.WithCancel(context.Background())
		open.Store(id, end)
		go func() {
			defer end()
			defer open.Delete(id)
			w := &answer{id: id, header: http.Header{}}
			r, err := http.NewRequestWithContext(ctx, method, "http://localhost/"+path, body)
			if err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
			} else {
				answers.ServeHTTP(w, r)
			}
			w.WriteHeader(http.StatusOK) // needed if the answer is empty, so that nothing else was written
			w.post("end", true)
		}()
		return nil
	}))
	js.Global().Set("abort", js.FuncOf(func(_ js.Value, values []js.Value) any {
		if end, is := open.Load(values[0].Int()); is {
			end.(context.CancelFunc)()
		}
		return nil
	}))
	js.Global().Call("ready")
	select {}
}

// answer is an http.ResponseWriter that posts everything that is written to it to the page.
type answer struct {
	id     int
	header http.Header
	begun  bool
}

func (w *answer) Header() http.Header { return w.header }

func (w *answer) WriteHeader(status int) {
	if w.begun {
		return
	}
	w.begun = true
	headers := map[string]any{}
	for name, values := range w.header {
		headers[name] = strings.Join(values, ", ")
	}
	w.post("head", map[string]any{"status": status, "headers": headers})
}

func (w *answer) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	piece := js.Global().Get("Uint8Array").New(len(p))
	js.CopyBytesToJS(piece, p)
	w.post("piece", piece)
	return len(p), nil
}

// Flush implements http.Flusher. Flush does nothing, as everything is posted at once.
func (w *answer) Flush() {}

// post sends a part of the answer to the page, under the name what.
func (w *answer) post(what string, value any) {
	js.Global().Call("postMessage", map[string]any{"id": w.id, what: value})
}
