package setting

import (
	"fmt"
	"slices"
	"strings"

	"antipode/experiments/parameter"
	"antipode/sde"
	"antipode/sphere/invariant"
)

// namedCovariances are the common covariances of value matrices that have names, the best-known names first.
var namedCovariances = []struct {
	name string
	invariant.Covariance
}{
	{"ginibre", invariant.Ginibre},
	{"symmetric", invariant.Symmetric},
	{"antisymmetric", invariant.Antisymmetric},
	{"scalar", invariant.Scalar},
}

// covarianceName returns the name of a covariance of value matrices, if the covariance has a name.
func covarianceName(v invariant.Covariance) (name string, is bool) {
	for _, named := range namedCovariances {
		if named.Covariance == v {
			return named.name, true
		}
	}
	return "", false
}

// CovarianceCaption returns the text of a covariance of value matrices in a caption, after a comma. The text
// is "" if the entries are independent.
func CovarianceCaption(v invariant.Covariance) string {
	name, is := covarianceName(v)
	switch {
	case v == invariant.Ginibre:
		return ""
	case is:
		return ", " + name + " value matrices"
	}
	return ", covariance " + v.String()
}

// AttractionCondition returns the text of the condition on β and the dimension d under which overlap -1 of
// two tokens is attracting at infinite depth. The argument relation is ">" for the condition, or "=" for the
// boundary between attracting and repelling. The entries of value matrices have the covariance v, and the
// attention scores have no random part.
func AttractionCondition(v invariant.Covariance, relation string) string {
	if v == invariant.Ginibre {
		return "cosh 2β " + relation + " d-2"
	}
	return "a cosh 2β + b (1 + sinh 2β) + c " + relation + " a (d-2)"
}

// RefusedCovariance returns a *parameter.Error for a covariance of value matrices, with the given problem.
func RefusedCovariance(v invariant.Covariance, problem string) error {
	value, is := covarianceName(v)
	if !is {
		value = v.String()
	}
	return parameter.Errorf("covariance", value, "%s", problem)
}

// CovarianceParameter returns the parameter of the covariance of the entries of a value matrix.
func CovarianceParameter(field *invariant.Covariance) parameter.Parameter {
	return parameter.Parameter{Name: "covariance",
		Meaning: "coefficients a,b,c of the covariance of a gaussian value matrix: E V_ij V_kl = a " +
			"δ_ik δ_jl + b δ_il δ_jk + c δ_ij δ_kl",
		Value: covarianceValue{field}}
}

// covarianceValue is a parameter value that is a covariance, written as three numbers or as a name.
type covarianceValue struct{ field *invariant.Covariance }

func (v covarianceValue) Set(text string) error {
	for _, named := range namedCovariances {
		if named.name == text {
			*v.field = named.Covariance
			return nil
		}
	}
	parts := strings.Split(text, ",")
	var numbers [3]float64
	for k, part := range parts {
		x, err := parameter.ParseNumber(part)
		if err != nil || len(parts) != len(numbers) {
			return parameter.MustBe(v)
		}
		numbers[k] = x
	}
	covariance := invariant.Covariance{A: numbers[0], B: numbers[1], C: numbers[2]}
	if err := (covarianceValue{&covariance}).Check(); err != nil {
		return err
	}
	*v.field = covariance
	return nil
}

func (v covarianceValue) String() string { return v.field.String() }

func (v covarianceValue) Allowed() string {
	return fmt.Sprintf("three numbers a,b,c from %g to %g with a ≥ |b| and a + b + c·d ≥ 0, one of them at "+
		"least %g; or ginibre (1,0,0), symmetric, antisymmetric or scalar",
		-float64(invariant.Largest), float64(invariant.Largest), float64(invariant.Least))
}

func (v covarianceValue) Placeholder() string { return "A,B,C" }

// Check does not check conditions on a covariance that depend on the dimension; CheckCovariance checks these.
func (v covarianceValue) Check() error { return v.field.Check(0) }

// CheckCovariance returns an error for a covariance that no random matrix of one of the dimensions has, and
// for a covariance that value matrices of the given law cannot have.
func CheckCovariance(v invariant.Covariance, dims []int, law sde.Law) error {
	if err := v.Check(slices.Max(dims)); err != nil {
		return RefusedCovariance(v, err.Error())
	}
	if law != sde.Gaussian && (v.B != 0 || v.C != 0) {
		return RefusedCovariance(v,
			fmt.Sprintf("needs gaussian entries, not %v ones, unless b and c are 0", law))
	}
	return nil
}
