package linear

import (
	"slices"
	"testing"
)

// Products with a matrix of small whole numbers, which are exact, and with its transpose.
func TestProducts(t *testing.T) {
	matrix, x := []float64{1, 2, 3, 4, 5, 6, 7, 8, 10}, []float64{1, -1, 2}
	dst := []float64{9, 9, 9}
	if Multiply(dst, matrix, x); !slices.Equal(dst, []float64{5, 11, 19}) {
		t.Errorf("product %v", dst)
	}
	if MultiplyTransposed(dst, matrix, x); !slices.Equal(dst, []float64{11, 13, 17}) {
		t.Errorf("product of the transpose %v", dst)
	}
	if AddScaled(dst, -2, x); !slices.Equal(dst, []float64{9, 15, 13}) {
		t.Errorf("sum %v", dst)
	}
	if Scale(dst, 3, dst); !slices.Equal(dst, []float64{27, 45, 39}) {
		t.Errorf("multiple %v", dst)
	}
}
