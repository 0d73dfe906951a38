package npz_test

import (
	"os"
	"testing"

	"antipode/experiments/train/npz"
)

// The example of the package's documentation writes a file.
func TestExample(t *testing.T) {
	t.Chdir(t.TempDir())
	zeros := npz.Array{Name: "v", Shape: []int{2, 3}, Numbers: make([]float64, 6)}
	err := npz.Write("weights.npz", []npz.Array{zeros})
	if info, problem := os.Stat("weights.npz"); err != nil || problem != nil || info.Size() < 48 {
		t.Errorf("%v, %v", err, problem)
	}
}
