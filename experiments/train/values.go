package train

import (
	"errors"
	"slices"
	"strings"

	"antipode/experiments/internal/networks"
	"antipode/experiments/parameter"
	"antipode/sde/network"
)

// values is a law of the value matrices as a text. A colon and a scale may follow the name of the law. For
// gaussian value matrices the scale is the variance of an entry, which is a number or 1/d. For other value
// matrices the scale is the square of their factor. If the text has no scale, the parameter sigma-v2 gives
// the scale, except for the shared identity, which has no scale.
type values string

// perDimension is the text of the variance 1/d in a law of value matrices.
const perDimension = "1/d"

func (v values) split() (law, scale string) {
	law, scale, _ = strings.Cut(string(v), ":")
	return law, scale
}

// law returns the name of the law of value matrices.
func (v values) law() string {
	law, _ := v.split()
	return law
}

// scaled reports whether the parameter sigma-v2 gives the scale of the value matrices.
func (v values) scaled() bool {
	law, scale := v.split()
	return scale == "" && law != sharedIdentity
}

// sigmaV2 returns σ_v² for the scale of value matrices in the text, for tokens of the given dimension.
func (v values) sigmaV2(dim int64) float64 {
	law, text := v.split()
	if text == "" || text == perDimension {
		return 1
	}
	scale, _ := parameter.ParseNumber(text)
	if law == network.GaussianValues.String() {
		return float64(dim) * scale
	}
	return scale
}

// canonical returns the text of the law with its scale written in the canonical form of numbers.
func (v values) canonical() string {
	law, text := v.split()
	scale, err := parameter.ParseNumber(text)
	if err != nil {
		return string(v)
	}
	return law + ":" + parameter.FormatReal(scale)
}

// check returns an error unless the text is a law of value matrices with a valid scale.
func (v values) check() error {
	law, text := v.split()
	if !slices.Contains(valueNames, law) {
		return errors.New("no such law")
	}
	if text == "" && !strings.Contains(string(v), ":") ||
		text == perDimension && law == network.GaussianValues.String() {
		return nil
	}
	scale, err := parameter.ParseNumber(text)
	if err != nil || !networks.VarianceRange.Contains(scale) || scale == 0 {
		return errors.New("no such scale")
	}
	return nil
}

// valuesList is a parameter value: a list of laws of value matrices.
type valuesList struct{ field *[]string }

// Set implements parameter.Value.
func (v valuesList) Set(text string) error {
	given := strings.Split(text, ",")
	for k := range given {
		given[k] = values(given[k]).canonical()
	}
	if err := (valuesList{&given}).Check(); err != nil {
		return err
	}
	*v.field = given
	return nil
}

// String implements parameter.Value.
func (v valuesList) String() string { return strings.Join(*v.field, ",") }

// Allowed implements parameter.Value.
func (v valuesList) Allowed() string {
	return "one or more different names " +
		"of " + strings.Join(valueNames, ", ") + ", each with or without a scale above 0, such as " +
		"gaussian:0.5, gaussian:" + perDimension
}

// Placeholder implements parameter.Value.
func (v valuesList) Placeholder() string { return "VALUES" }

// Check implements parameter.Value.
func (v valuesList) Check() error {
	for k, text := range *v.field {
		if values(text).check() != nil || slices.Contains((*v.field)[:k], text) {
			return parameter.MustBe(v)
		}
	}
	return parameter.CheckThat(len(*v.field) > 0, v)
}
