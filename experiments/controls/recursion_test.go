package controls

import (
	"math"
	"math/rand/v2"
	"testing"

	"antipode/sde"
	"antipode/sphere"
	"antipode/sphere/must"
)

// recursion is eq. (4) as the paper writes it, implemented by plain loops and the exponential function of the
// standard library, without any code of package sde. If one of its fields is set, it is wrong on purpose.
type recursion struct {
	cell        sde.Cell
	independent bool // defect: each token has a value matrix of its own
	undivided   bool // defect: the weights are not divided by their sum, or by N
}

func (r recursion) IncrementLen() int {
	if r.independent {
		return r.cell.Tokens * r.cell.Dim * r.cell.Dim
	}
	return r.cell.Dim * r.cell.Dim
}

func (r recursion) Step(x, value []float64) error {
	d := r.cell.Dim
	next := make([]float64, len(x))
	for i := range r.cell.Tokens {
		own := value
		if r.independent {
			own = value[i*d*d:]
		}
		field := r.field(x, i)
		square := 0.0
		for k := range d {
			sum := 0.0
			for l, a := range field {
				sum += own[k*d+l] * a
			}
			next[i*d+k] = x[i*d+k] + sum/math.Sqrt(float64(r.cell.Depth))
			square += next[i*d+k] * next[i*d+k]
		}
		for k := range d {
			next[i*d+k] /= math.Sqrt(square)
		}
	}
	copy(x, next)
	return nil
}

// field returns the attention field of token i, for B = Id.
func (r recursion) field(x []float64, i int) []float64 {
	d := r.cell.Dim
	field := make([]float64, d)
	total := 0.0
	for j := range r.cell.Tokens {
		weight := math.Exp(r.cell.Beta * inner(x[i*d:(i+1)*d], x[j*d:(j+1)*d]))
		total += weight
		for k := range field {
			field[k] += weight * x[j*d+k]
		}
	}
	switch {
	case r.undivided:
		return field
	case r.cell.Attention == sde.Unnormalized:
		total = float64(r.cell.Tokens)
	}
	for k := range field {
		field[k] /= total
	}
	return field
}

func inner(x, y []float64) float64 {
	sum := 0.0
	for k := range x {
		sum += x[k] * y[k]
	}
	return sum
}

// scaled is a stepper that multiplies its increments by a factor: a wrong σ, or V/L for V/√L.
type scaled struct {
	sde.Stepper
	factor float64
}

func (s scaled) Step(x, increment []float64) error {
	value := make([]float64, len(increment))
	for k, v := range increment {
		value[k] = s.factor * v
	}
	return s.Stepper.Step(x, value)
}

// makeStepper returns a stepper of the tokens of a cell, which may have a defect.
type makeStepper func(c sde.Cell) sde.Stepper

var (
	plain       makeStepper = func(c sde.Cell) sde.Stepper { return recursion{cell: c} }
	independent makeStepper = func(c sde.Cell) sde.Stepper { return recursion{cell: c, independent: true} }
	undivided   makeStepper = func(c sde.Cell) sde.Stepper { return recursion{cell: c, undivided: true} }
	louder      makeStepper = func(c sde.Cell) sde.Stepper { return scaled{sde.NewStepper(c), 1.05} }
	slower      makeStepper = func(c sde.Cell) sde.Stepper {
		return scaled{sde.NewStepper(c), 1 / math.Sqrt(float64(c.Depth))}
	}
)

// wrongSteppers are the steppers with a defect, by name.
var wrongSteppers = []struct {
	name string
	make makeStepper
}{
	{"independent noise per token", independent},
	{"softmax without its denominator", undivided},
	{"σ 5 % too large", louder},
	{"V scaled by 1/L", slower},
}

// gaussians fills an increment with independent standard normal numbers.
func gaussians(increment []float64, r *rand.Rand) {
	for k := range increment {
		increment[k] = r.NormFloat64()
	}
}

// transformer returns a cell with σ = 1, Gaussian value matrices and a uniform start.
func transformer(tokens, dim int, beta float64, attention sde.Attention, depth int) sde.Cell {
	return sde.Cell{Model: sde.Transformer{Sigma: 1}, Attention: attention, Tokens: tokens, Dim: dim,
		Beta: beta, Depth: depth, Start: sde.UniformStart{}}
}

// The plain recursion agrees with that of package sde: after 10 steps with the same increments the tokens
// differ by rounding errors only, which these steps magnify less than 1000-fold.
func TestPlainRecursionIsThatOfThePackage(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 1))
	for _, attention := range []sde.Attention{sde.Softmax, sde.Unnormalized} {
		c := transformer(3, 4, 1.2, attention, 50)
		one, other := sde.NewStepper(c), plain(c)
		x, increment := make([]float64, 12), make([]float64, 16)
		sphere.Uniform(x, 4, r.NormFloat64)
		y := append([]float64(nil), x...)
		for range 10 {
			gaussians(increment, r)
			must.Do(t, one.Step(x, increment))
			must.Do(t, other.Step(y, increment))
		}
		for k := range x {
			if !(math.Abs(x[k]-y[k]) <= 1e-12) {
				t.Fatalf("%v: tokens %v and %v", attention, x, y)
			}
		}
	}
}
