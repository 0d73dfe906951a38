package finitedepth

import (
	"math"
	"testing"

	"antipode/overlap"
	"antipode/overlap/internal/overlaptest"

	"pgregory.net/rapid"
)

var (
	everyBeta      = overlaptest.Betas(overlap.MaxBeta)
	everyAttention = rapid.SampledFrom([]overlap.Attention{overlap.Softmax, overlap.Unnormalized})
	everyDepth     = rapid.Custom(func(t *rapid.T) int {
		return int(math.Exp(rapid.Float64Range(0, math.Log(1e6)).Draw(t, "log depth")))
	})
)

// TestMain fixes the seed and the number of draws of all property tests.
func TestMain(m *testing.M) { overlaptest.Main(m, 2000) }

// near fails unless |got-want| ≤ tolerance.
var near = overlaptest.Near
