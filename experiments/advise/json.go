package advise

import (
	"cmp"
	"encoding/json"
	"io"
	"slices"

	"antipode/data"
	"antipode/experiments/run"
	"antipode/internal/lists"
)

// change is a suggested change of the architecture in JSON.
type change struct {
	Change string   `json:"change"`
	Factor float64  `json:"factor"`
	Cosine *float64 `json:"cosine"`
	Margin *float64 `json:"margin"`
	Growth *float64 `json:"gradient_growth"`
	Passes bool     `json:"passes"`
}

// summary is the report in JSON. A number that is not defined is null.
type summary struct {
	Parameters    json.RawMessage   `json:"parameters"`
	Spread        *float64          `json:"spread"`
	EffectiveBeta *float64          `json:"effective_beta"`
	Values        *float64          `json:"values_noise"`
	MLP           *float64          `json:"mlp_strength"`
	Variance      *float64          `json:"mlp_variance"`
	Time          *float64          `json:"time"`
	Cosine        *float64          `json:"cosine"`
	TwoTokens     *float64          `json:"cosine_two_tokens"`
	Depth90       *int              `json:"depth_0.9"`
	Depth99       *int              `json:"depth_0.99"`
	Margin        *float64          `json:"margin"`
	CriticalSkip  *float64          `json:"critical_alpha"`
	CriticalBeta  *float64          `json:"beta_c"`
	Growth        *float64          `json:"gradient_growth"`
	PlusOne       *string           `json:"plus_one"`
	MinusOne      *string           `json:"minus_one"`
	Passes        bool              `json:"passes"`
	Changes       []change          `json:"changes"`
	Layers        []json.RawMessage `json:"layers"`
}

// WriteJSON implements run.Summarizer. The JSON is an object with the numbers of the report and a list of the
// rows of the table.
func (*Experiment) WriteJSON(w io.Writer, table *data.Table) error {
	e := New()
	if err := run.ReadParameters(e, table); err != nil {
		return err
	}
	rows, err := data.RowsOf[Row](table) // as they are in the table
	if err != nil {
		return err
	}
	a, err := e.advise()
	if err != nil {
		return err
	}
	shape, finite := e.shape(), data.FiniteOrNil
	s := summary{
		Parameters: json.RawMessage(run.ParametersJSON(e)), Spread: finite(a.Spread),
		EffectiveBeta: finite(a.EffectiveBeta), Values: finite(values(shape) / float64(shape.Dim)),
		MLP: finite(a.MLP), Variance: finite(a.Variance), Time: finite(a.Clock), Cosine: finite(a.Cosine),
		TwoTokens: finite(a.TwoTokens), Depth90: reached(a.Depth90), Depth99: reached(a.Depth99),
		Margin: finite(a.Margin), CriticalSkip: finite(a.CriticalSkip), CriticalBeta: finite(a.CriticalBeta),
		Growth: finite(a.Growth), Passes: a.Passes, Changes: []change{},
	}
	if a.LimitUnknown == "" {
		s.PlusOne, s.MinusOne = &a.PlusOne, &a.MinusOne
	}
	for _, c := range a.Changes {
		s.Changes = append(s.Changes, change{e.changeText(c), c.Factor, finite(c.Signal.Cosine),
			finite(c.Signal.Margin), finite(c.Signal.Growth), c.Passes})
	}
	order := lists.Of(len(rows), func(k int) int { return k })
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rows[a].Layer, rows[b].Layer) })
	for _, row := range order {
		s.Layers = append(s.Layers, table.AppendRowJSON(nil, row))
	}
	text, err := json.MarshalIndent(s, "", " ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// reached returns a pointer to the number of a layer, or nil if the number is negative, which stands for no
// layer.
func reached(layer int) *int {
	if layer < 0 {
		return nil
	}
	return &layer
}
