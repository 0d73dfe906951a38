package explore

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"antipode/sphere/must"
)

const secret = "a-secret-of-these-tests"

// site is a running server, and the test that uses it.
type site struct {
	*testing.T
	*Server
	address string // http://host:port
	host    string
	end     context.CancelFunc
	ended   chan error
}

// serve starts a server. When the test ends, it checks that no goroutine of the server is left.
func serve(t *testing.T, options Options) *site {
	t.Helper()
	before := runtime.NumGoroutine()
	options.Secret = secret
	s := &site{T: t, Server: New(options), ended: make(chan error, 1)}
	s.pages.patience = time.Hour
	listener := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	s.host = listener.Addr().String()
	s.address = "http://" + s.host
	ctx, end := context.WithCancel(t.Context())
	s.end = end
	go func() { s.ended <- s.Serve(ctx, listener) }()
	t.Cleanup(func() {
		end()
		select {
		case <-s.ended:
		case <-time.After(10 * time.Second):
			t.Error("the server does not end")
		}
		http.DefaultClient.CloseIdleConnections()
		for wait := time.Millisecond; runtime.NumGoroutine() > before && wait < 3*time.Second; wait *= 2 {
			time.Sleep(wait)
		}
		if left := runtime.NumGoroutine(); left > before {
			stacks := make([]byte, 1<<16)
			t.Errorf("%d goroutines are left of %d:\n%s", left, before, stacks[:runtime.Stack(stacks, true)])
		}
	})
	return s
}

// ask sends a question as the page would, and returns the status and the content of the answer.
func (s *site) ask(method, path string, question any) (int, []byte) {
	s.Helper()
	var body io.Reader
	if question != nil {
		text := must.Get(json.Marshal(question))(s)
		body = bytes.NewReader(text)
	}
	request := must.Get(http.NewRequestWithContext(s.Context(), method, s.address+"/"+secret+path, body))(s)
	request.Header.Set("Origin", s.address)
	response := must.Get(http.DefaultClient.Do(request))(s)
	defer response.Body.Close()
	content := must.Get(io.ReadAll(response.Body))(s)
	return response.StatusCode, content
}

// askJSON is like ask, for an answer in JSON that must have the given status.
func askJSON[T any](s *site, method, path string, question any, want int) (value T) {
	s.Helper()
	status, content := s.ask(method, path, question)
	if status != want {
		s.Fatalf("%s %s: %d, want %d: %s", method, path, status, want, content)
	}
	if err := json.Unmarshal(content, &value); err != nil {
		s.Fatalf("%s %s: %v in %s", method, path, err, content)
	}
	return value
}

// open opens a page's stream of events; closing closes it.
func (s *site) open(page string) (stream *bufio.Scanner, closing func()) {
	s.Helper()
	request := must.Get(http.NewRequest(http.MethodGet, s.address+"/"+secret+"/events?page="+page, nil))(s)
	ctx, cancel := context.WithCancel(s.Context())
	response := must.Get(http.DefaultClient.Do(request.WithContext(ctx)))(s)
	if response.StatusCode != http.StatusOK {
		s.Fatalf("events: %s", response.Status)
	}
	stream = bufio.NewScanner(response.Body)
	stream.Buffer(nil, 1<<20)
	stream.Scan()
	closing = func() { cancel(); response.Body.Close() }
	s.Cleanup(closing)
	return stream, closing
}

// raw sends a request exactly as given, and returns the status and the text of the answer.
func (s *site) raw(request string) (status int, text string) {
	s.Helper()
	conn := must.Get(net.Dial("tcp", s.host))(s)
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(20 * time.Second))
	must.Get(io.WriteString(conn, request))(s)
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		s.Fatalf("%q: %v", request, err)
	}
	defer response.Body.Close()
	content, _ := io.ReadAll(response.Body)
	return response.StatusCode, string(content)
}

// A request that does not come from the page itself is refused, whatever it asks for, and its answer reveals
// neither the secret nor any content.
func TestRefusals(t *testing.T) {
	s := serve(t, Options{Files: []string{"server_test.go"}})
	port := s.host[strings.LastIndex(s.host, ":"):]
	host := "Host: " + s.host
	from := func(origin string) string { return host + "\r\nOrigin: " + origin }
	for _, c := range []struct {
		what, line, headers string
		status              int
	}{
		{"the page", "GET /" + secret + "/", host, 200},
		{"by name", "GET /" + secret + "/", "Host: localhost" + port, 200},
		{"through a tunnel", "GET /" + secret + "/", "Host: 127.0.0.1:9", 200},
		{"in IPv6", "GET /" + secret + "/commands", "Host: [::1]" + port, 200},
		{"of the page", "GET /" + secret + "/commands", from(s.address), 200},

		{"a foreign name", "GET /" + secret + "/", "Host: antipode.example" + port, 403},
		{"a foreign name that looks local", "GET /" + secret + "/", "Host: 127.0.0.1.example" + port, 403},
		{"another address", "GET /" + secret + "/", "Host: 192.168.1.2" + port, 403},
		{"any address", "GET /" + secret + "/", "Host: 0.0.0.0" + port, 403},
		{"no name", "GET /" + secret + "/", "Host:", 403},
		{"a foreign page", "GET /" + secret + "/commands", from("http://antipode.example"), 403},
		{"another port", "GET /" + secret + "/commands", from("http://127.0.0.1:9"), 403},
		{"a page without a name", "GET /" + secret + "/commands", from("null"), 403},
		{"two pages", "GET /" + secret + "/", from(s.address) + "\r\nOrigin: http://a.example", 403},

		{"no secret", "GET /", host, 403},
		{"no secret, a file", "GET /main.js", host, 403},
		{"another secret", "GET /" + secret[1:] + "x/", host, 403},
		{"a part of it", "GET /" + secret[:10] + "/", host, 403},
		{"without the end", "GET /" + secret, host, 403},
		{"secret in the query", "GET /?" + secret, host, 403},

		{"out of bounds", "GET /" + secret + "/../../server_test.go", host, 404},
		{"out of bounds, escaped", "GET /" + secret + "/%2e%2e/server_test.go", host, 404},
		{"out of bounds, double", "GET /" + secret + "/..%2f..%2fetc/passwd", host, 404},
		{"backslashes", "GET /" + secret + "/..%5c..%5cetc", host, 404},
		{"a null", "GET /" + secret + "/main.js%00", host, 404},
		{"two slashes", "GET /" + secret + "//etc/passwd", host, 404},
		{"what is not there", "GET /" + secret + "/server.go", host, 404},
		{"no file", "GET /" + secret + "/files/1", host, 404},
		{"no file by name", "GET /" + secret + "/files/server_test.go", host, 404},
		{"a file below", "GET /" + secret + "/files/-1", host, 404},
		{"no run", "GET /" + secret + "/runs/1/figure", host, 404},
		{"another method", "PUT /" + secret + "/runs", host, 405},
		{"long headers", "GET /" + secret + "/", host + "\r\nX: " + strings.Repeat("x", 40_000), 431},
		{"a long body", "POST /" + secret + "/form", host + "\r\nContent-Length: 1000000000", 413},
		{"not JSON", "POST /" + secret + "/form", host + "\r\nContent-Length: 0", 400},
	} {
		status, text := s.raw(c.line + " HTTP/1.1\r\n" + c.headers + "\r\nConnection: close\r\n\r\n")
		if status != c.status {
			t.Errorf("%s: %d, want %d", c.what, status, c.status)
		}
		if status == 403 && (strings.Contains(text, secret) || strings.Contains(text, "<")) {
			t.Errorf("%s: learns %q", c.what, text)
		}
	}
}

// All answers have a content security policy that forbids inline scripts, and no other site may read or frame
// them.
func TestHeaders(t *testing.T) {
	s := serve(t, Options{})
	for _, path := range []string{"/", "/main.js", "/style.css", "/commands", "/files/7"} {
		response := must.Get(http.Get(s.address + "/" + secret + path))(t)
		response.Body.Close()
		for name, want := range map[string]string{
			"Content-Security-Policy":      "script-src 'self'",
			"X-Content-Type-Options":       "nosniff",
			"Referrer-Policy":              "no-referrer",
			"Cross-Origin-Resource-Policy": "same-origin",
			"X-Frame-Options":              "DENY",
			"Cache-Control":                "no-store",
		} {
			got := response.Header.Get(name)
			if !strings.Contains(got, want) || strings.Contains(got, "unsafe") ||
				response.Header.Get("Set-Cookie") != "" {
				t.Errorf("%s: %s: %q", path, name, got)
			}
		}
		if response.Header.Get("Access-Control-Allow-Origin") != "" ||
			response.Request.URL.Path != "/"+secret+path {
			t.Errorf("%s: may be read by all, or leads elsewhere", path)
		}
	}
	_, page := s.ask("GET", "/", nil)
	for _, inline := range []string{"style=", "onclick", "http:", "https:", "//"} {
		if strings.Contains(strings.ReplaceAll(string(page), "<!--", ""), inline) {
			t.Errorf("the page has %q in it", inline)
		}
	}
}

// heap returns the memory in use by heap and stacks, in bytes.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc + m.StackInuse
}

// A body without an end is refused after its first MiB, and takes only a few MiB of memory.
func TestEndlessBody(t *testing.T) {
	s := serve(t, Options{})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	sent := 0
	body := readerFunc(func(p []byte) (int, error) {
		if sent += len(p); sent > 1<<30 {
			return 0, io.EOF
		}
		return len(p), nil
	})
	request := must.Get(http.NewRequest("POST", s.address+"/"+secret+"/form", body))(t)
	response, err := http.DefaultClient.Do(request)
	if err == nil {
		response.Body.Close()
		if response.StatusCode != http.StatusRequestEntityTooLarge {
			t.Errorf("status %s", response.Status)
		}
	}
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; sent > 64<<20 || took > 16<<20 {
		t.Errorf("%d bytes were read, and %d of memory taken", sent, took)
	}
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// Of a thousand connections the server keeps only a few, and frees the memory of the others; after they are
// closed, the page answers again.
func TestManyConnections(t *testing.T) {
	s := serve(t, Options{})
	before := heap()
	var open []net.Conn
	for range 1000 {
		conn := must.Get(net.Dial("tcp", s.host))(t)
		// the headers have no end
		fmt.Fprintf(conn, "GET /%s/commands HTTP/1.1\r\nHost: %s\r\n", secret, s.host)
		open = append(open, conn)
	}
	closed := 0
	for _, conn := range open {
		conn.SetReadDeadline(time.Now().Add(20 * time.Millisecond))
		if _, err := conn.Read(make([]byte, 1)); err != nil && !isTimeout(err) {
			closed++
		}
	}
	if closed < 900 {
		t.Errorf("%d of %d connections are closed", closed, len(open))
	}
	if took := int64(heap()) - int64(before); took > 16<<20 {
		t.Errorf("they take %d bytes", took)
	}
	for _, conn := range open {
		conn.Close()
	}
	for k := 0; ; k++ {
		response, err := http.Get(s.address + "/" + secret + "/")
		if err == nil {
			response.Body.Close()
			break
		}
		if k == 100 {
			t.Fatal("the page does not answer any more")
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func isTimeout(err error) bool {
	timeout, is := err.(net.Error)
	return is && timeout.Timeout()
}

// The server ends some time after its last page was closed, but not before a first page was opened, and not
// with Keep.
func TestEndsWithItsLastPage(t *testing.T) {
	for _, keep := range []bool{false, true} {
		s := New(Options{Keep: keep})
		s.grace = 100 * time.Millisecond
		listener := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- s.Serve(ctx, listener) }()
		waits := func(what string) {
			select {
			case err := <-ended:
				t.Fatalf("keep %t, %s: ended with %v", keep, what, err)
			case <-time.After(3 * s.grace):
			}
		}
		waits("before the first page")
		page, leave := context.WithCancel(ctx)
		events := s.Address(listener) + "events?page=first-page"
		request, _ := http.NewRequestWithContext(page, "GET", events, nil)
		response, err := http.DefaultClient.Do(request)
		if err != nil || response.StatusCode != 200 {
			t.Fatal(response, err)
		}
		waits("while a page is open")
		leave()
		response.Body.Close()
		if keep {
			waits("when it is to keep on")
			cancel()
			if err := <-ended; err != context.Canceled {
				t.Errorf("ended with %v", err)
			}
			continue
		}
		select {
		case err := <-ended:
			if err != nil {
				t.Errorf("ended with %v", err)
			}
		case <-time.After(10 * time.Second):
			t.Error("goes on without a page")
		}
		cancel()
	}
}

// If too many pages are open, the server tells the oldest to rest; these still count as open until they say
// good-bye. If there are more than mostPages, a new one is refused.
func TestManyPages(t *testing.T) {
	s := serve(t, Options{})
	name := func(k int) string { return fmt.Sprintf("page-number-%d", k) }
	first, _ := s.open(name(0))
	for k := 1; k <= mostStreams; k++ {
		s.open(name(k))
	}
	rests := false
	for first.Scan() { // to the end of the stream
		rests = rests || first.Text() == "event: rest"
	}
	if !rests || s.pages.find(name(0)) == nil {
		t.Error("the first page does not rest, or is not open any more")
	}
	again, _ := s.open(name(0))
	if again.Text() != "event: runs" || len(s.pages.streams) != mostStreams {
		t.Errorf("the page that comes back is told %q; %d are told", again.Text(), len(s.pages.streams))
	}
	if status, _ := s.ask("POST", "/bye?page="+name(1), nil); status != http.StatusNoContent ||
		s.pages.find(name(1)) != nil {
		t.Error("a resting page cannot be closed")
	}
	for k := mostStreams + 1; k <= mostPages; k++ {
		s.open(name(k))
	}
	if status, _ := s.ask("GET", "/events?page="+name(99), nil); status != http.StatusServiceUnavailable {
		t.Errorf("one page more: %d", status)
	}
	if status, _ := s.ask("GET", "/events?page=%00", nil); status != http.StatusServiceUnavailable {
		t.Errorf("a page without a name: %d", status)
	}
	s.end()
	s.ended <- <-s.ended
	if len(s.pages.open) > 0 {
		t.Errorf("%d pages are open when the server has ended", len(s.pages.open))
	}
}
