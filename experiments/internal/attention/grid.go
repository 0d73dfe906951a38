package attention

import (
	"fmt"
	"math"
	"strings"

	"antipode/data"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/wording"
	"antipode/sde/matrices"
)

// Grid describes random attention networks of several kinds and sizes by the parameters that experiments
// share.
type Grid struct {
	Attention    []matrices.Attention `json:"attention"`
	Law          matrices.Law         `json:"law"`
	Tokens       []int                `json:"tokens"`
	Ratio        float64              `json:"ratio"` // γ = T/D: tokens T, dimension D
	Gap          []matrices.Gap       `json:"gap"`
	Values       []matrices.Values    `json:"values"`
	Architecture []Architecture       `json:"architecture"`
	Samples      int64                `json:"samples"`
}

// NewGrid returns a Grid with the default parameters.
func NewGrid() Grid {
	return Grid{
		Attention: []matrices.Attention{matrices.Markov}, Law: matrices.Exponential,
		Tokens: []int{25, 50, 100, 200}, Ratio: 1,
		Gap:    []matrices.Gap{matrices.KeepGap, matrices.RemoveMeans},
		Values: []matrices.Values{matrices.GaussianValues}, Architecture: []Architecture{Plain},
		Samples: 20,
	}
}

// GridParameters returns the parameters of the Grid.
func (g *Grid) GridParameters() []parameter.Parameter {
	return []parameter.Parameter{
		AttentionParameter(&g.Attention),
		LawParameter(&g.Law, g.Attention),
		{Name: "tokens", Meaning: "tokens T",
			Value: parameter.Wholes(&g.Tokens, parameter.Range{Low: 2, High: DenseTokens})},
		{Name: "ratio", Meaning: "γ = T/D, up to rounding of the dimension D of the signal",
			Value: parameter.Real(&g.Ratio, parameter.Range{Low: 0.01, High: 100})},
		{Name: "gap", Meaning: GapMeaning, Value: parameter.NamedList(&g.Gap, matrices.GapNames)},
		{Name: "values", Meaning: ValuesMeaning,
			Value: parameter.NamedList(&g.Values, matrices.ValuesNames)},
		{Name: "architecture",
			Meaning: "what follows attention: nothing, a skip connection, LayerNorm, or both",
			Value:   parameter.NamedList(&g.Architecture, ArchitectureNames)},
		SamplesParameter(&g.Samples),
	}
}

// Kinds returns the kinds of networks in the Grid, in the order of the table.
func (g *Grid) Kinds() (kinds []Kind) {
	for _, attention := range g.Attention {
		for _, architecture := range g.Architecture {
			for _, values := range g.Values {
				for _, gap := range g.Gap {
					kinds = append(kinds, Kind{Attention: attention, Gap: gap, Values: values,
						Architecture: architecture})
				}
			}
		}
	}
	return kinds
}

// Network returns the network of a kind with the given numbers of tokens and layers, and with one head.
func (g *Grid) Network(k Kind, tokens, layers int) matrices.Network {
	return matrices.Network{
		Attention: k.Attention, Law: g.Law, Tokens: tokens,
		Dim:    max(1, int(math.Round(float64(tokens)/g.Ratio))),
		Layers: layers, Heads: 1, Gap: k.Gap, Values: k.Values,
		Skip:      k.Architecture == Skip || k.Architecture == SkipLayerNorm,
		LayerNorm: k.Architecture == LayerNorm || k.Architecture == SkipLayerNorm,
	}
}

// ValidateNetworks checks all networks of the Grid with the given number of layers.
func (g *Grid) ValidateNetworks(layers int) error {
	for _, k := range g.Kinds() {
		for _, tokens := range g.Tokens {
			if err := g.Network(k, tokens, layers).Validate(); err != nil {
				return Problem("ratio", parameter.FormatReal(g.Ratio), err)
			}
		}
	}
	return nil
}

// Setting describes for a caption what all networks of the Grid have in common.
func (g *Grid) Setting() string {
	text := fmt.Sprintf("γ = %s, %s", parameter.FormatReal(g.Ratio), wording.Count(g.Samples, "sample"))
	if g.Law != matrices.Exponential {
		text += ", " + g.Law.String() + " law"
	}
	if kinds := g.Kinds(); len(kinds) == 1 {
		text = kinds[0].String() + ", " + text
	}
	return text
}

// ShardColumns returns the columns of the table of a shard.
func (*Grid) ShardColumns() []data.Column { return run.PieceColumns() }

// Short names the properties by which a kind of network differs from the other kinds of the Grid.
func (g *Grid) Short(k Kind) string {
	var parts []string
	add := func(values int, name string) {
		if values > 1 {
			parts = append(parts, name)
		}
	}
	add(len(g.Attention), k.Attention.String())
	add(len(g.Architecture), k.Architecture.String())
	add(len(g.Values), k.Values.String()+" values")
	add(len(g.Gap), GapText(k.Gap))
	if parts == nil {
		return k.Attention.String()
	}
	return strings.Join(parts, ", ")
}
