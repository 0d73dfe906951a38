package train

import (
	"errors"
	"slices"
	"strings"

	"antipode/experiments/internal/networks"
	"antipode/experiments/parameter"
	"antipode/sde/network"
)

// values are a law of the value matrices and, after a colon, a scale of its own: of gaussian ones the
// variance of an entry, a number or 1/d, of others the square of the factor. Without one --sigma-v2 is the
// scale, which the shared identity does without.
type values string

// perDimension is the variance 1/d.
const perDimension = "1/d"

func (v values) split() (law, scale string) {
	law, scale, _ = strings.Cut(string(v), ":")
	return law, scale
}

// law is its name.
func (v values) law() string {
	law, _ := v.split()
	return law
}

// scaled reports whether --sigma-v2 is its scale.
func (v values) scaled() bool {
	law, scale := v.split()
	return scale == "" && law != sharedIdentity
}

// sigmaV2 is σ_v² of a scale of its own, for tokens of that dimension.
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

// canonical has a scale in the form that every such number has.
func (v values) canonical() string {
	law, text := v.split()
	scale, err := parameter.ParseNumber(text)
	if err != nil {
		return string(v)
	}
	return law + ":" + parameter.FormatReal(scale)
}

// check refuses what is not a law with a scale.
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

// valuesList is the value of a parameter that is a list of values.
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
	return "different ones of " + strings.Join(valueNames, ", ") + ", with a scale above 0 or without, " +
		"as gaussian:0.5, gaussian:" + perDimension
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
