package interaction

import (
	"fmt"
	"strings"

	"antipode/experiments/parameter"
	"antipode/overlap"
	"antipode/sde"
)

// resampledStart begins the name of random queries and keys of each layer, before the spread of their scores
// and, after another colon, the number of key dimensions.
const resampledStart = "resampled:"

// mostKeys is the largest number of key dimensions.
const mostKeys = 1 << 20

// resampledHelp says what follows it.
var resampledHelp = fmt.Sprintf("resampled:S (β I + S G with G of independent standard normal entries, "+
	"new in each layer; S from 0 to %d) or resampled:S:K (G = QᵀK/√K with K key dimensions, from 1 to %d)",
	overlap.MaxSpread, mostKeys)

// mustBeResampled says what a text that can only mean random queries and keys must be.
func mustBeResampled() error {
	return fmt.Errorf("must be resampled:S or resampled:S:K, S a number from 0 to %d "+
		"and K a whole number from 1 to %d", overlap.MaxSpread, mostKeys)
}

// isResampled reports whether a text can only mean random queries and keys of each layer.
func isResampled(text string) bool { return strings.HasPrefix(text, resampledStart) }

// parseResampled reads their spread and key dimensions.
func parseResampled(text string) (r sde.Resampling, allowed bool) {
	spread, keys, finite := strings.Cut(strings.TrimPrefix(text, resampledStart), ":")
	x, err := parameter.ParseNumber(spread)
	r.Spread = x
	if finite {
		k, err := parameter.ParseWithin(keys, 1, mostKeys)
		if r.Keys = int(k); err != nil {
			return r, false
		}
	}
	return r, err == nil && parameter.Range{Low: 0, High: overlap.MaxSpread}.Contains(x)
}

// Resampling returns the random queries and keys that a text names, none for any other text.
func Resampling(text string) sde.Resampling {
	if !isResampled(text) {
		return sde.Resampling{}
	}
	r, _ := parseResampled(text)
	return r
}

// HasTheory reports whether the overlap of two tokens is a diffusion: the interaction is the identity, or
// random with many key dimensions.
func HasTheory(text string) bool {
	return text == Identity || isResampled(text) && Resampling(text).Keys == 0
}

// diffusive is the name of an interaction under which the overlap of two tokens is a diffusion.
type diffusive struct{ field *string }

func (v diffusive) Set(text string) error {
	if err := (diffusive{&text}).Check(); err != nil {
		return err
	}
	*v.field = text
	return nil
}
func (v diffusive) String() string { return *v.field }
func (v diffusive) Allowed() string {
	return fmt.Sprintf("identity, or resampled:S (β I + S G with G of independent standard normal entries, "+
		"new in each layer) with S from 0 to %d", overlap.MaxSpread)
}
func (v diffusive) Placeholder() string { return "MATRIX" }
func (v diffusive) Check() error {
	_, allowed := parseResampled(*v.field)
	return parameter.CheckThat(*v.field == Identity || allowed && HasTheory(*v.field), v)
}

// TheoryParameter is the parameter of the matrix B where only those with a theory are allowed.
func TheoryParameter(field *string) parameter.Parameter {
	return parameter.Parameter{Name: "interaction",
		Meaning: "matrix of the scores: β times the identity, " +
			"or with random queries and keys of each layer beside it",
		Value: diffusive{field}}
}
