package simulate

import (
	"fmt"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/parameter"
	"antipode/experiments/wording"
	"antipode/internal/lists"
	"antipode/sde"
)

// AttentionRow is a row of the table of attention matrices: one matrix entry of one trajectory at one time.
type AttentionRow struct {
	Moment
	Query  int32    `column:"i" meaning:"number, from 1, of the token that attends (the query)"`
	Key    int32    `column:"j" meaning:"number, from 1, of the token that is attended to (the key)"`
	_      struct{} `meaning:"entry of the attention matrix of the layer after this time: the weight of"`
	_      struct{} `meaning:"token j in the attention of token i"`
	Weight float64  `column:"weight"`
}

// mostAttended is the greatest number of tokens whose attention matrices are saved.
const mostAttended = 1000

// attentionTable is the table of attention matrices. The table has a row for each trajectory, time and entry
// of the attention matrix.
type attentionTable struct {
	tokens int
	cell   sde.Cell // cell of the trajectories
}

func (*attentionTable) columns() []data.Column { return data.ColumnsOf[AttentionRow]() }

func (t *attentionTable) entries() int { return t.tokens * t.tokens }

func (t *attentionTable) rowsPerTime() float64 { return float64(t.entries()) }
func (t *attentionTable) bytesKept() float64   { return 8 * float64(t.entries()) }

func (t *attentionTable) room(times int) saved { return roomFor(times * t.entries()) }

func (t *attentionTable) keep(row *saved, v *sde.View) {
	t.cell.Weights(row.further(t.entries()), v.Tokens())
}

func (t *attentionTable) writer(sink data.Sink) rowWriter {
	rowsOf := func(rows []AttentionRow, at Moment, k int, row saved) []AttentionRow {
		for e, weight := range row.numbers[k*t.entries() : (k+1)*t.entries()] {
			query, key := int32(e/t.tokens+1), int32(e%t.tokens+1)
			rows = append(rows, AttentionRow{Moment: at, Query: query, Key: key, Weight: weight})
		}
		return rows
	}
	return &partWriter[AttentionRow]{sink: sink, rowsOf: rowsOf, most: rowsPerPart(t)}
}

// newAttentionTable returns a table of attention matrices, or an error if there are too many tokens. The cell
// of the table is set later, when the files of the cell have been read.
func (s *Experiment) newAttentionTable() (savedTable, error) {
	if s.Tokens > mostAttended {
		return nil, parameter.Errorf("save", s.Save, "%d tokens have as many entries squared; must be "+
			"outcomes or overlaps for more than %d tokens", s.Tokens, mostAttended)
	}
	return &attentionTable{tokens: int(s.Tokens)}, nil
}

// mostMaps is the greatest number of times at which a figure shows attention matrices.
const mostMaps = 6

// attentionMatrices returns the complete attention matrices of the first trajectory in the order of time. The
// entries of a matrix are in rows. A table without a complete matrix is an error.
func (s *Experiment) attentionMatrices(digest *data.Table) ([][]AttentionRow, error) {
	return snapshots(digest, "matrix", int(s.Tokens*s.Tokens), func(r AttentionRow) (Moment, bool) {
		return r.Moment, min(r.Query, r.Key) >= 1 && int64(max(r.Query, r.Key)) <= s.Tokens
	})
}

// drawAttention plots the attention matrix of the first trajectory at several times as heat maps with a
// common colour scale.
func (s *Experiment) drawAttention(digest *data.Table, caption string) (*figure.Figure, error) {
	all, err := s.attentionMatrices(digest)
	if err != nil {
		return nil, err
	}
	heat := figure.HeatMap{Rows: int(s.Tokens), Columns: int(s.Tokens)}
	shown := figure.Spread(all, mostMaps)
	for _, of := range shown {
		heat.High = lists.Max(heat.High, of, func(r AttentionRow) float64 { return r.Weight })
	}
	var maps []*figure.Plot
	for _, of := range shown {
		p := figure.NewPlot("time "+parameter.FormatReal(of[0].Time), "token attended to", "token")
		heat.Value = func(i, j int) float64 { return of[i*int(s.Tokens)+j].Weight }
		p.Heat(heat)
		maps = append(maps, p)
	}
	return drawMaps(maps, heat.Bar(""), caption)
}

// describeAttention describes what the tokens of the first trajectory attend to at the first and the last
// time.
func (s *Experiment) describeAttention(digest *data.Table) (string, error) {
	all, err := s.attentionMatrices(digest)
	if err != nil {
		return "", err
	}
	first, last := all[0], all[len(all)-1]
	attended := func(of []AttentionRow) float64 {
		sums, squares := make([]float64, s.Tokens), make([]float64, s.Tokens)
		for _, r := range of {
			sums[r.Query-1] += r.Weight
			squares[r.Query-1] += float64(r.Weight * r.Weight)
		}
		mean := 0.0
		for k := range sums {
			mean += sums[k] * sums[k] / squares[k] / float64(s.Tokens)
		}
		return mean
	}
	return fmt.Sprintf("At time %s a token of trajectory %d attends to %.3g of %s, at time %s to %.3g.",
		parameter.FormatReal(last[0].Time), last[0].Trajectory, attended(last),
		wording.Count(s.Tokens, "token"), parameter.FormatReal(first[0].Time), attended(first)), nil
}
