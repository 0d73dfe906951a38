package setting

import (
	"errors"
	"fmt"
	"strings"

	"antipode/experiments/parameter"
	"antipode/overlap"
	"antipode/sde"
	"antipode/sphere/activation"
)

// Sublayers are the parts of a layer in addition to one head of attention: an MLP, further heads, and a
// drift. The zero value has no MLP, no further heads and no drift.
type Sublayers struct {
	MLP   MLP     `json:"mlp,omitzero"`
	Heads int64   `json:"heads,omitzero"` // number of heads; 0 for one head
	Drift float64 `json:"drift,omitzero"` // μ of the mean μI/L of value matrices
	// Arrangement says whether the MLP reads the same tokens as attention, or the tokens after attention.
	Arrangement sde.Arrangement `json:"sublayers,omitzero"`
}

// mostHeads is the largest number of attention heads.
const mostHeads = 1 << 12

// SeveralHeadsMatter reports whether several attention heads have another law than a single head. Several
// heads have another law in two cases: if each head has its own random scores, or if the value matrices are
// not Gaussian, so that a sum of independent value matrices has another law than a single one.
func SeveralHeadsMatter(values sde.Law, b Interaction) bool {
	return values != sde.Gaussian || b.Resampling().Spread > 0
}

// Effective returns the sublayers without the parts that have no effect. The number of heads is reset if
// severalMatter is false, and the arrangement is reset if there is no MLP.
func (s Sublayers) Effective(severalMatter bool) Sublayers {
	if !severalMatter {
		s.Heads = 0
	}
	if s.MLP == (MLP{}) {
		s.Arrangement = sde.Together
	}
	return s
}

// Parameters returns the parameters of the sublayers: those of the MLP, the number of heads and the drift.
// The argument severalMatter says whether several heads have an effect, as SeveralHeadsMatter reports.
func (s *Sublayers) Parameters(severalMatter bool) []parameter.Parameter {
	return append(MLPParameters(&s.MLP, &s.Arrangement),
		parameter.Parameter{Name: "heads", Meaning: "number H of attention heads; each has an " +
			"independent value matrix with entries of variance σ²/H, and independent random scores",
			Value: parameter.LeastAsZero(&s.Heads, parameter.Range{Low: 1, High: mostHeads}),
			Inapplicable: parameter.Unless(severalMatter, "several heads of gaussian values and the same "+
				"scores have the law of one; must be left out without random queries and keys")},
		parameter.Parameter{Name: "drift", Meaning: "drift μ: value matrices have mean μI/L",
			Value: parameter.Real(&s.Drift, parameter.Range{Low: 0, High: overlap.MaxDrift})})
}

// MLPParameters returns the parameter of an MLP and the parameter of its arrangement relative to attention.
func MLPParameters(m *MLP, a *sde.Arrangement) []parameter.Parameter {
	return []parameter.Parameter{
		MLPParameter(m),
		{Name: "sublayers", Meaning: "whether attention and the MLP of a layer read the same tokens " +
			"(together), or the MLP reads the tokens after attention and normalisation (in-sequence), as " +
			"in the usual blocks; both have the same limit of infinite depth",
			Value: parameter.Named{Field: a, Names: sde.ArrangementNames},
			Inapplicable: parameter.Unless(*m != MLP{}, "there is one sublayer without an MLP; must be left "+
				"out without mlp")},
	}
}

// MLPParameter returns the parameter of an MLP beside attention.
func MLPParameter(m *MLP) parameter.Parameter {
	return parameter.Parameter{Name: "mlp", Meaning: "MLP beside attention, with new random weights in " +
		"each layer: its activation, its strength c, the variance w of its pre-activations (1 by " +
		"default), and its width (by default infinite in the theory and for chains, and 4d for " +
		"tokens)", Value: mlpValue{m}}
}

// NoShortcutsParameter returns the parameter of a switch that prevents trajectories from ending before the
// horizon. With an MLP, several heads or a drift, trajectories never end early, and the switch has no effect.
func (s Sublayers) NoShortcutsParameter(on *bool, meaning string) parameter.Parameter {
	return parameter.Parameter{Name: "no-shortcuts", Meaning: meaning, Value: parameter.Switch{On: on},
		Inapplicable: parameter.Unless(s.None(), "beside an MLP, several heads or a drift every "+
			"trajectory goes on to the horizon; must be left out")}
}

// None reports whether a layer has only one head of attention, without an MLP or a drift.
func (s Sublayers) None() bool { return s.MLP == MLP{} && s.Heads <= 1 && s.Drift == 0 }

// With returns a cell with the sublayers. If no width of the MLP is given, the MLP of tokens of dimension d
// has width 4d, and the MLP of a chain is infinitely wide.
func (s Sublayers) With(c sde.Cell) sde.Cell {
	c.MLP, c.Heads, c.Drift, c.Arrangement = s.MLP.of(c), int(s.Heads), s.Drift, s.Arrangement
	return c
}

// Check returns an error if the sublayers do not fit one of the cells. The cells must already have the
// sublayers.
func (s Sublayers) Check(cells []sde.Cell) error {
	for _, c := range cells {
		if s.None() {
			return nil
		}
		if err := CheckOverflow(c); err != nil { // which is not about the sublayers
			return err
		}
		if err := c.Validate(); err != nil {
			c.Arrangement = sde.Together
			return s.refused(err, c.Validate() == nil)
		}
	}
	return nil
}

// refused returns err as the *parameter.Error of a parameter of the sublayers. If arrangement is true, the
// error names the parameter of the arrangement. Otherwise the error names the first of the parameters mlp,
// heads and drift that is set.
func (s Sublayers) refused(err error, arrangement bool) error {
	switch {
	case arrangement:
		return parameter.Errorf("sublayers", s.Arrangement, "%v", err)
	case s.MLP != MLP{}:
		return parameter.Errorf("mlp", s.MLP, "%v", err)
	case s.Heads > 1:
		return parameter.Errorf("heads", s.Heads, "%v", err)
	}
	return parameter.Errorf("drift", s.Drift, "%v", err)
}

// Caption returns the text of the sublayers in a caption, after a comma. The text is "" if there are no
// sublayers except one head of attention.
func (s Sublayers) Caption() (text string) {
	if s.MLP != (MLP{}) {
		text += ", MLP " + s.MLP.String()
		if s.Arrangement == sde.InSequence {
			text += " after attention"
		}
	}
	if s.Heads > 1 {
		text += fmt.Sprintf(", %d heads", s.Heads)
	}
	if s.Drift > 0 {
		text += ", drift " + parameter.FormatReal(s.Drift)
	}
	return text
}

// MLP describes an MLP beside attention, with the parameters of overlap.MLP and sde.MLP. The zero value
// stands for no MLP. The text of an MLP, also in JSON, is none, ACTIVATION:c, ACTIVATION:c:w or
// ACTIVATION:c:w:WIDTH, where c is the strength of the MLP and w the variance of its pre-activations.
type MLP struct {
	Activation activation.Activation
	Strength   float64 // the strength c; 0 for no MLP
	Variance   float64 // the variance w of the pre-activations
	Width      int     // 0 for infinite width, or 4d for tokens of dimension d
}

const noMLP = "none"

// mlps lists the possible texts of MLPs in messages to the user.
var mlps = fmt.Sprintf("none or ACTIVATION:c[:w[:WIDTH]], with %s, c from 0 to %g, w from %g to %g and "+
	"WIDTH from 1 to 2^20", parameter.Choice{Names: activation.Names}.Allowed(), float64(overlap.MaxStrength),
	activation.LeastVariance, float64(activation.LargestVariance))

var errMLP = errors.New("must be " + mlps)

// String returns the text of the MLP.
func (m MLP) String() string {
	if m == (MLP{}) {
		return noMLP
	}
	text := fmt.Sprintf("%v:%s:%s", m.Activation, parameter.FormatReal(m.Strength),
		parameter.FormatReal(m.Variance))
	if m.Width > 0 {
		text += fmt.Sprintf(":%d", m.Width)
	}
	return text
}

// MarshalText implements encoding.TextMarshaler by the method String.
func (m MLP) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler for the text of an MLP.
func (m *MLP) UnmarshalText(text []byte) error {
	parsed, err := parseMLP(string(text))
	if err != nil {
		return parameter.Errorf("mlp", string(text), "%v", err)
	}
	*m = parsed
	return nil
}

// parseMLP returns the MLP that a text describes. An MLP of strength 0 becomes the zero value, no MLP.
func parseMLP(text string) (m MLP, err error) {
	parts := strings.Split(text, ":")
	switch {
	case text == noMLP:
		return m, nil
	case len(parts) < 2 || len(parts) > 4:
		return m, errMLP
	}
	m.Variance = 1
	if m.Activation, err = activation.Parse(parts[0]); err != nil {
		return MLP{}, errMLP
	}
	for k, field := range []*float64{&m.Strength, &m.Variance} {
		if k+1 < len(parts) {
			if *field, err = parameter.ParseNumber(parts[k+1]); err != nil {
				return MLP{}, errMLP
			}
		}
	}
	if len(parts) == 4 {
		width, err := parameter.ParseWithin(parts[3], 1, 1<<20)
		if err != nil {
			return MLP{}, errMLP
		}
		m.Width = int(width)
	}
	if _, err := m.InTheory().Correlation(); err != nil {
		return MLP{}, errMLP
	}
	if m.Strength == 0 {
		return MLP{}, nil
	}
	return m, nil
}

// InTheory returns the MLP as package overlap describes it. The width is dropped, because the theory treats
// an MLP as infinitely wide.
func (m MLP) InTheory() overlap.MLP {
	return overlap.MLP{Activation: m.Activation, Strength: m.Strength, Variance: m.Variance}
}

// of returns the simulated MLP of a cell. If no width is given, the MLP of tokens of dimension d has width
// 4d, and the MLP of a chain is infinitely wide.
func (m MLP) of(c sde.Cell) sde.MLP {
	simulated := sde.MLP{Activation: m.Activation, Strength: m.Strength, Variance: m.Variance, Width: m.Width}
	if m != (MLP{}) && m.Width == 0 && c.Method == sde.Tokens {
		simulated.Width = 4 * c.Dim
	}
	return simulated
}

type mlpValue struct{ field *MLP }

func (v mlpValue) Set(text string) error {
	m, err := parseMLP(text)
	if err == nil {
		*v.field = m
	}
	return err
}
func (v mlpValue) String() string      { return v.field.String() }
func (v mlpValue) Allowed() string     { return mlps }
func (v mlpValue) Placeholder() string { return "MLP" }

// Activations returns the names of the activation functions of an MLP. An input form offers a choice among
// these names.
func (v mlpValue) Activations() []string { return activation.Names }

func (v mlpValue) Check() error { return nil }
