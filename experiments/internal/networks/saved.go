package networks

import (
	"context"

	"antipode/data"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/internal/lists"
	"antipode/sde/network"

	"gonum.org/v1/gonum/blas/blas64"
)

// Saved says what the table of an experiment on networks contains: values such as means over networks, or
// matrices of the layers of every network.
type Saved string

// The contents of tables: values, the attention matrices of all heads, and the tokens after each layer.
const (
	SavedValues    Saved = "values"
	SavedAttention Saved = "attention"
	SavedStates    Saved = "states"
)

// Parameter returns the parameter that chooses the content of the table.
func (s *Saved) Parameter() parameter.Parameter {
	return parameter.Parameter{Name: "save",
		Meaning: "what the table contains: values, or for every network the entries of its attention " +
			"matrices or its states, which the figure then shows",
		Value: parameter.Choice{Field: (*string)(s),
			Names: []string{string(SavedValues), string(SavedAttention), string(SavedStates)}}}
}

// Matrices reports whether the table has matrices of the layers instead of values.
func (s Saved) Matrices() bool { return s != SavedValues }

// Entry holds the columns of a row of a table of matrices. A row is an entry of an attention matrix, or a
// coordinate of a token.
type Entry struct {
	_        struct{} `meaning:"number of the network among those with equal parameters, from 0"`
	Network  int32    `column:"network"`
	_        struct{} `meaning:"number of the input sequence that the network reads, from 0"`
	Sequence int32    `column:"sequence"`
	Layer    int32    `column:"layer" meaning:"number of the layer, from 1; for states also 0, the input"`
	Head     int32    `column:"head" meaning:"number of the attention head, from 1; 0 for states"`
	Token    int32    `column:"i" meaning:"number of the token, from 1"`
	_        struct{} `meaning:"for attention matrices, number from 1 of the token that token i attends to;"`
	_        struct{} `meaning:"for states, number from 1 of the coordinate of token i"`
	Other    int32    `column:"j"`
	_        struct{} `meaning:"for attention matrices, weight of token j in the attention of token i, less"`
	_        struct{} `meaning:"the mean weight if attention is gain-controlled; for states, coordinate j of"`
	_        struct{} `meaning:"token i after the layer"`
	Value    float64  `column:"value"`
}

// matrices returns the matrices that are saved from the view of a layer of a network: the tokens, or the
// attention matrices of all heads.
func (s Saved) matrices(v network.View) []blas64.General {
	if s == SavedStates {
		return []blas64.General{v.Tokens}
	}
	return v.Attention
}

// shape returns the numbers of rows and columns of the saved matrices of a network, the number of layers with
// saved matrices, and the number of matrices per sequence and layer.
func (s Saved) shape(n network.Network) (rows, columns, layers, each int) {
	if s == SavedStates {
		return n.Tokens, n.Dim, n.Layers + 1, 1
	}
	return n.Tokens, n.Tokens, n.Layers, n.Heads
}

// size returns the number of saved matrix entries of a network of the ensemble.
func (s Saved) size(e *network.Ensemble) int {
	rows, columns, layers, each := s.shape(e.Network)
	return rows * columns * layers * each * max(1, e.Sequences)
}

// Save writes the matrices of the networks of several laws to the table, law by law, with a row for each
// entry. The function row makes a row from the index of the law and the entry. The argument count is the name
// of the parameter that sets the number of networks.
func Save[Row any](
	ctx context.Context, s Saved, laws []network.Ensemble, options run.Options, count string, table data.Sink,
	row func(law int, e Entry) Row,
) error {
	p := parts{}
	total := 0
	for _, law := range laws {
		law.Gradients, law.Classes, law.Seed, law.Workers = false, 0, options.Seed, options.Workers
		total += law.Networks
		p.all, p.ends = append(p.all, Part{Ensemble: law}), append(p.ends, total)
	}
	if options.Shards == nil {
		if err := p.checkSaved(s, options, count); err != nil {
			return err
		}
	}
	return run.Pieces{
		Count:  total,
		Length: func(piece int) int { law, _ := p.at(piece); return s.size(&p.all[law].Ensemble) },
		Worker: func() func(context.Context, int) ([]float64, error) {
			var numbers []float64
			compute := p.observer(func(_ int64, _, _ int, v network.View) error {
				for _, m := range s.matrices(v) {
					for t := range m.Rows {
						numbers = append(numbers, m.Data[t*m.Stride:][:m.Cols]...)
					}
				}
				return nil
			})
			return func(ctx context.Context, piece int) ([]float64, error) {
				law, _ := p.at(piece)
				numbers = make([]float64, 0, s.size(&p.all[law].Ensemble))
				_, err := compute(ctx, piece)
				return numbers, err
			}
		},
		Take: func(piece int, numbers []float64) error {
			law, number := p.at(piece)
			return s.entries(&p.all[law].Ensemble, number, numbers, func(entries []Entry) error {
				rows := lists.Map(entries, func(e Entry) Row { return row(law, e) })
				return data.WriteRows(table, rows...)
			})
		},
	}.Run(ctx, options, table)
}

// entries passes the entries of the saved matrices of a network to write, ordered by layer, sequence and
// head. The argument numbers has the values of the entries.
func (s Saved) entries(
	e *network.Ensemble, number int64, numbers []float64, write func(entries []Entry) error,
) error {
	rows, columns, layers, each := s.shape(e.Network)
	entries := make([]Entry, rows*columns)
	for layer := range layers {
		for sequence := range max(1, e.Sequences) {
			for head := range each {
				for k := range entries {
					entries[k] = Entry{
						Network: int32(number), Sequence: int32(sequence), Layer: int32(layer),
						Token: int32(k/columns + 1), Other: int32(k%columns + 1), Value: numbers[k],
					}
					if s == SavedAttention {
						entries[k].Layer, entries[k].Head = int32(layer+1), int32(head+1)
					}
				}
				if err := write(entries); err != nil {
					return err
				}
				numbers = numbers[len(entries):]
			}
		}
	}
	return nil
}

// mostSaved is the greatest number of matrix entries in a table.
const mostSaved = 1e9

// checkSaved returns an error for a table of matrices with too many rows, and for networks that need too much
// memory or time.
func (p *parts) checkSaved(s Saved, options run.Options, count string) error {
	rows, largest := 0.0, 0.0
	for k := range p.all {
		e := &p.all[k].Ensemble
		size := float64(s.size(e))
		rows, largest = rows+size*float64(e.Networks), max(largest, size)
	}
	if rows > mostSaved {
		return parameter.Errorf("save", string(s), "these are %.3g entries; must be at most %.3g, of fewer "+
			"or smaller networks", rows, mostSaved)
	}
	const perNumber = 8
	kept := 2 * perNumber * largest * float64(max(2, options.Workers))
	return p.check(options, count, kept, run.Needs{Rows: rows, Kept: perNumber * rows})
}
