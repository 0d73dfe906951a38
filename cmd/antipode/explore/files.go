package explore

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"path/filepath"
	"strconv"

	"antipode/data"
	"antipode/experiments"
	"antipode/experiments/description"
)

const mostRows = 200 // largest number of rows in one answer

// rowsAnswer is an answer with some rows of a table.
type rowsAnswer struct {
	From  int               `json:"from"`
	Total int64             `json:"total"` // number of rows of the table
	Rows  []json.RawMessage `json:"rows"`
}

// rowsOf returns the answer with the rows of part, which is the part of a table that begins at row from. The
// argument total is the number of rows of the entire table.
func rowsOf(part *data.Table, from int, total int64) rowsAnswer {
	a := rowsAnswer{from, total, []json.RawMessage{}}
	for k := range part.Rows() {
		a.Rows = append(a.Rows, part.AppendRowJSON(nil, k))
	}
	return a
}

// countOf returns the number of rows that a request asks for.
func countOf(r *http.Request) int { return int(number(r, "count", mostRows, mostRows)) }

// listFiles answers a request with the names of the tables that the page may open.
func (s *Server) listFiles(w http.ResponseWriter, _ *http.Request) {
	names := []string{}
	for _, path := range s.Files {
		names = append(names, filepath.Base(path))
	}
	answer(w, http.StatusOK, names)
}

// path returns the path of the file that a request names. A request for a file that the page must not open is
// refused, and path returns "".
func (s *Server) path(w http.ResponseWriter, r *http.Request) string {
	k, err := strconv.Atoi(r.PathValue("id"))
	if err != nil || k < 0 || k >= len(s.Files) {
		refuse(w, http.StatusNotFound, "there is no such file")
		return ""
	}
	return s.Files[k]
}

// fileAnswer is an answer that describes a table.
type fileAnswer struct {
	Name     string               `json:"name"`
	Problem  string               `json:"problem"`
	Rows     int64                `json:"rows"`
	Columns  []description.Column `json:"columns"`
	Metadata [][2]string          `json:"metadata"`
	Text     string               `json:"text"` // the report of the experiment on the table
}

// file answers a request with the description of a table, and the report of the experiment on the table.
func (s *Server) file(w http.ResponseWriter, r *http.Request) {
	path := s.path(w, r)
	if path == "" {
		return
	}
	a := fileAnswer{Name: path, Columns: []description.Column{}, Metadata: [][2]string{}}
	if err := a.read(path); err != nil {
		a.Problem = spoken(err)
	}
	answer(w, http.StatusOK, a)
}

func (a *fileAnswer) read(path string) error {
	reader, err := data.Open(path)
	if err != nil {
		return err
	}
	defer reader.Close()
	a.Rows = reader.Rows()
	for _, c := range reader.Schema().Columns {
		a.Columns = append(a.Columns, description.ColumnOf(c))
	}
	for _, entry := range reader.Schema().Metadata {
		a.Metadata = append(a.Metadata, [2]string{entry.Key, entry.Value})
	}
	e, table, err := experiments.Read(path)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	err = e.Describe(&text, table)
	a.Text = text.String()
	return err
}

// fileRows answers a request with a range of rows of a table.
func (s *Server) fileRows(w http.ResponseWriter, r *http.Request) {
	path := s.path(w, r)
	if path == "" {
		return
	}
	reader, err := data.Open(path)
	if err != nil {
		answer(w, http.StatusUnprocessableEntity, map[string]string{"problem": spoken(err)})
		return
	}
	defer reader.Close()
	from := number(r, "from", 0, reader.Rows())
	a := rowsAnswer{int(from), reader.Rows(), []json.RawMessage{}}
	for before := int64(0); len(a.Rows) < countOf(r) && r.Context().Err() == nil; {
		part, err := reader.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			answer(w, http.StatusUnprocessableEntity, map[string]string{"problem": spoken(err)})
			return
		}
		first := max(0, from-before)
		last := min(int64(part.Rows()), first+int64(countOf(r)-len(a.Rows)))
		if first < last {
			a.Rows = append(a.Rows, rowsOf(part.Slice(int(first), int(last)), 0, 0).Rows...)
		}
		before += int64(part.Rows())
	}
	answer(w, http.StatusOK, a)
}

// fileFigure answers a request with the figure of a table.
func (s *Server) fileFigure(w http.ResponseWriter, r *http.Request) {
	path := s.path(w, r)
	if path == "" {
		return
	}
	e, table, err := experiments.Read(path)
	if err != nil {
		answer(w, http.StatusOK, picture{None: spoken(err)})
		return
	}
	answer(w, http.StatusOK, draw(e, table))
}
