package attention

import (
	"reflect"
	"testing"

	"antipode/sde/internal/fields"

	"gonum.org/v1/gonum/blas/blas64"
)

// The memory of loops is that of the scores. That of a derivative by products is counted by hand, three
// squares of the number of tokens and three times the tokens, and is what is allocated.
func TestBytes(t *testing.T) {
	few := Settings{Attention: fields.Attention{Count: 5, Dim: 3}}
	for _, derives := range []bool{false, true} {
		if got := few.Bytes(derives); got != 8*25 {
			t.Errorf("loops: %v bytes", got)
		}
	}
	many := Settings{Attention: fields.Attention{Count: 30, Dim: 40}}
	if got := many.Bytes(false); got != fields.Bytes(30, 40, 1) {
		t.Errorf("products: %v bytes", got)
	}
	if got := many.Bytes(true) - fields.Bytes(30, 40, 1); got != 8*(3*900+3*1200) {
		t.Errorf("derivative: %v bytes", got)
	}
	if got := largeDerivativeBytes(7, 11); got != 8*(3*49+3*77) {
		t.Errorf("derivative of 7 tokens: %v bytes", got)
	}
	l, numbers := newLargeDerivative(30, 40), 30*30 // the weights
	for _, m := range []blas64.General{l.scores, l.other, l.contractions, l.along, l.traces} {
		numbers += len(m.Data)
	}
	if numbers != 3*900+3*1200 {
		t.Errorf("%d numbers are allocated", numbers)
	}
	if fields := reflect.TypeFor[largeDerivative]().NumField(); fields != 9 {
		t.Errorf("%d fields, 9 are counted here", fields)
	}
}

// Products are used for harmonics, from 8 tokens on, and for more than 2 tokens with 120 numbers.
func TestByFields(t *testing.T) {
	for _, c := range []struct {
		tokens, dim int
		sum         fields.Way
		spread      float64
		want        bool
	}{
		{2, 3, fields.Harmonics, 0, true}, {2, 3, fields.Fastest, 0, false}, {2, 3, fields.Direct, 0, false},
		{7, 17, fields.Fastest, 0, false}, {8, 1, fields.Fastest, 0, true}, {8, 1, fields.Fastest, 1, false},
		{3, 39, fields.Fastest, 0, false}, {3, 40, fields.Fastest, 0, true},
		{2, 60, fields.Fastest, 0, false},
		{3, 40, fields.Fastest, 1, false}, {2, 3, fields.Harmonics, 1, false},
	} {
		s := Settings{Attention: fields.Attention{Count: c.tokens, Dim: c.dim, Sum: c.sum}, Spread: c.spread}
		if got := s.ByFields(); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
