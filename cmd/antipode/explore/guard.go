package explore

import (
	"bytes"
	"crypto/subtle"
	"errors"
	"io"
	"net"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"
)

const (
	mostConnections = 64
	mostBody        = 1 << 20 // largest size of the body of a request, in bytes
	bodyTime        = 10 * time.Second
)

// policy is the Content-Security-Policy of the page. The page must not load anything from other sites, and
// scripts and styles may come only from the files of the page. Figures are images that the page makes from
// text that it has received.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; " +
	"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// guard passes requests that the page itself may make to the next handler, and refuses all other requests
// before anything is done.
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, value := range map[string]string{
			"Content-Security-Policy":      policy,
			"X-Content-Type-Options":       "nosniff",
			"Referrer-Policy":              "no-referrer",
			"Cross-Origin-Resource-Policy": "same-origin",
			"Cross-Origin-Opener-Policy":   "same-origin",
			"X-Frame-Options":              "DENY",
			"Cache-Control":                "no-store",
		} {
			w.Header().Set(name, value)
		}
		rest, known := s.afterSecret(r.URL.Path)
		switch {
		case !isLocal(r.Host):
			refuse(w, http.StatusForbidden, "the Host is not this machine")
		case isForeign(r):
			refuse(w, http.StatusForbidden, "another page asks")
		case !known:
			refuse(w, http.StatusForbidden, "the address lacks the secret, or the / at its end")
		case rest != path.Clean(rest) || strings.ContainsAny(rest, "\\\x00"):
			refuse(w, http.StatusNotFound, "there is no such page")
		default:
			if !readBody(w, r) {
				return
			}
			r.URL.Path, r.URL.RawPath = rest, ""
			next.ServeHTTP(w, r)
		}
	})
}

// refuse answers a request with an error, and closes the connection.
func refuse(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Connection", "close")
	http.Error(w, text, status)
}

// afterSecret returns the part of the path of a request after the secret, beginning with /. The result known
// reports whether the secret is right.
func (s *Server) afterSecret(urlPath string) (rest string, known bool) {
	first, rest, found := strings.Cut(strings.TrimPrefix(urlPath, "/"), "/")
	same := subtle.ConstantTimeCompare([]byte(first), []byte(s.Secret)) == 1
	return "/" + rest, found && same && strings.HasPrefix(urlPath, "/")
}

// isLocal reports whether the Host header of a request names this machine, by an address or by a name that
// nobody else can register. Any port is accepted, for users whose connection passes through a tunnel.
func isLocal(host string) bool {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = strings.Trim(host, "[]")
	}
	ip := net.ParseIP(name)
	return strings.EqualFold(name, "localhost") || ip != nil && ip.IsLoopback()
}

// isForeign reports whether a request comes from a web page of another origin.
func isForeign(r *http.Request) bool {
	for _, origin := range r.Header.Values("Origin") {
		if origin != "http://"+r.Host {
			return true
		}
	}
	return false
}

// readBody reads the body of a request within limits of size and time, and reports whether it succeeded.
func readBody(w http.ResponseWriter, r *http.Request) bool {
	if r.Body == nil || r.Body == http.NoBody {
		return true
	}
	if r.ContentLength > mostBody {
		refuse(w, http.StatusRequestEntityTooLarge, "too large")
		return false
	}
	control := http.NewResponseController(w)
	control.SetReadDeadline(time.Now().Add(bodyTime))
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostBody))
	control.SetReadDeadline(time.Time{})
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		refuse(w, http.StatusRequestEntityTooLarge, "too large")
	case err != nil:
		refuse(w, http.StatusBadRequest, "the request does not come to its end")
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return err == nil
}

// connections counts the connections to the server, and closes connections above the limit mostConnections.
type connections struct {
	mutex sync.Mutex
	open  map[net.Conn]bool
}

// change records that the state of a connection has changed.
func (c *connections) change(conn net.Conn, state http.ConnState) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	switch state {
	case http.StateNew:
		if len(c.open) >= mostConnections {
			conn.Close()
			return
		}
		if c.open == nil {
			c.open = map[net.Conn]bool{}
		}
		c.open[conn] = true
	case http.StateClosed, http.StateHijacked:
		delete(c.open, conn)
	}
}
