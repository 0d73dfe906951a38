package setting

import (
	"fmt"
	"slices"
	"strings"

	"antipode/experiments/parameter"
	"antipode/overlap"
	"antipode/sde"
	"antipode/sphere/invariant"
)

// Covariance is a, b and c of the covariance of a value matrix's entries.
type Covariance [3]float64

// Ginibre is the covariance of independent entries.
var Ginibre = Covariance{1, 0, 0}

// namedCovariances are the common ones, in the order of their names' fame.
var namedCovariances = []struct {
	name string
	Covariance
}{
	{"ginibre", Ginibre},
	{"symmetric", Covariance{0.5, 0.5, 0}},
	{"antisymmetric", Covariance{0.5, -0.5, 0}},
	{"scalar", Covariance{0, 0, 1}},
}

// Simulated is the covariance in the words of the simulation.
func (v Covariance) Simulated() sde.Covariance { return sde.Covariance{A: v[0], B: v[1], C: v[2]} }

// Theory is the covariance in the words of the theory.
func (v Covariance) Theory() overlap.Covariance { return overlap.Covariance{A: v[0], B: v[1], C: v[2]} }

// name is that of a common covariance.
func (v Covariance) name() (name string, is bool) {
	for _, named := range namedCovariances {
		if named.Covariance == v {
			return named.name, true
		}
	}
	return "", false
}

// Text names a covariance in a caption if entries are not independent, after a comma.
func (v Covariance) Text() string {
	name, is := v.name()
	switch {
	case v == Ginibre:
		return ""
	case is:
		return ", " + name + " value matrices"
	}
	return ", covariance " + parameter.FormatList(v[:])
}

// Refused is an error of the parameter of a covariance.
func (v Covariance) Refused(problem string) error {
	value, is := v.name()
	if !is {
		value = parameter.FormatList(v[:])
	}
	return &parameter.Error{Parameter: "covariance", Value: value, Problem: problem}
}

// CovarianceParameter is the parameter of the covariance.
func CovarianceParameter(field *Covariance) parameter.Parameter {
	return parameter.Parameter{Name: "covariance",
		Meaning: "covariance a,b,c of a gaussian value matrix: " +
			"E V_ij V_kl = a δ_ik δ_jl + b δ_il δ_jk + c δ_ij δ_kl",
		Value: covariance{field}}
}

// covariance is the value of three numbers, or a name.
type covariance struct{ field *Covariance }

func (v covariance) Set(text string) error {
	for _, named := range namedCovariances {
		if named.name == text {
			*v.field = named.Covariance
			return nil
		}
	}
	parts := strings.Split(text, ",")
	var numbers Covariance
	for k, part := range parts {
		x, err := parameter.ParseNumber(part)
		if err != nil || len(parts) != len(numbers) {
			return parameter.MustBe(v)
		}
		numbers[k] = x
	}
	if err := (covariance{&numbers}).Check(); err != nil {
		return err
	}
	*v.field = numbers
	return nil
}

func (v covariance) String() string { return parameter.FormatList(v.field[:]) }

func (v covariance) Allowed() string {
	return "three numbers a,b,c with a ≥ |b| and a + b + c·d ≥ 0, not all 0; " +
		"or ginibre (1,0,0), symmetric, antisymmetric or scalar"
}

func (v covariance) Placeholder() string { return "A,B,C" }

// Check leaves out what depends on the dimension; see CheckCovariance.
func (v covariance) Check() error { return invariant.Covariance(v.field.Theory()).Check(0) }

// CheckCovariance refuses a covariance that no matrix of one of the dimensions has, and a law that
// cannot have it.
func CheckCovariance(v Covariance, dims []int, law sde.Law) error {
	if err := invariant.Covariance(v.Theory()).Check(slices.Max(dims)); err != nil {
		return v.Refused(err.Error())
	}
	if law != sde.Gaussian && (v[1] != 0 || v[2] != 0) {
		return v.Refused(fmt.Sprintf("needs gaussian entries, not %v ones, unless b and c are 0", law))
	}
	return nil
}

// NoValueMatrices is why a covariance has no effect on other models.
const NoValueMatrices = "only a transformer has value matrices, and none is chosen; must be left out"
