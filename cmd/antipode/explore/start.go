package explore

import (
	"bytes"
	"net/http"

	"antipode/data"
	"antipode/experiments/simulate"
)

// startTable answers a request with the file of the tokens from which a trajectory starts, which the command
// line of the trajectory reads.
func (s *Server) startTable(w http.ResponseWriter, r *http.Request) {
	var asked liveQuestion
	if !question(w, r, &asked) || s.openPage(w, asked.Page) == nil {
		return
	}
	c, of := s.scene(asked)
	if c.ok() && asked.Start == nil {
		c.problem = "No token has been moved."
	}
	if !c.ok() {
		answer(w, http.StatusUnprocessableEntity, liveProblem{c.problems, c.problem})
		return
	}
	tokens, dim := int(of.first.Tokens), int(of.first.Dim)
	row := simulate.StateRow{}
	for k := range tokens {
		row.Tokens = append(row.Tokens, asked.Start[k*dim:(k+1)*dim])
	}
	schema := data.Schema{Columns: data.ColumnsOf[simulate.StateRow](data.Shape{Count: tokens, Length: dim})}
	var file bytes.Buffer
	writer, err := data.Stream(&file, "", schema)
	impossible(err)
	impossible(data.WriteRows(writer, row))
	impossible(writer.Close())
	answerBytes(w, http.StatusOK, "application/vnd.apache.arrow.file", file.Bytes())
}
