// Command exponents writes to its standard output the exponents κ of the bounds on a return of cells, for
// check.py, as JSON.
//
// usage: go run .ci/proofs/exponents.go >exponents.json
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"antipode/overlap"
	"antipode/overlap/finitedepth"
)

// A cell is a neighbourhood of an end, and the exponent of its bound.
type cell struct {
	Dim          int     `json:"dim"`
	Beta         float64 `json:"beta"`
	Unnormalized bool    `json:"unnormalized"`
	Sigma        float64 `json:"sigma"`
	Depth        int     `json:"depth"`
	Within       float64 `json:"within"`
	Plus         bool    `json:"plus"`
	Kappa        float64 `json:"kappa"`
}

func main() {
	if err := write(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func write() error {
	cells := []cell{
		{Dim: 2, Beta: 1.3, Sigma: 0.8, Depth: 100, Within: 1e-6},
		{Dim: 3, Beta: 0.3, Sigma: 1, Depth: 50, Within: 1e-5},
		{Dim: 4, Beta: 1.5, Sigma: 1, Depth: 100, Within: 1e-6},
		{Dim: 7, Beta: 1.6, Unnormalized: true, Sigma: 1, Depth: 300, Within: 1e-7},
		{Dim: 10, Beta: 2.5, Sigma: 1, Depth: 40, Within: 1e-6},
		{Dim: 4, Beta: 0.9, Sigma: 1, Depth: 20, Within: 1e-6, Plus: true},
		{Dim: 3, Beta: 0.2, Unnormalized: true, Sigma: 1, Depth: 70, Within: 1e-6, Plus: true},
		{Dim: 9, Beta: 2.5, Sigma: 0.6, Depth: 100, Within: 1e-4, Plus: true},
	}
	for k, c := range cells {
		bound, attention := finitedepth.AntipodalReturn, overlap.Softmax
		if c.Plus {
			bound = finitedepth.SingleReturn
		}
		if c.Unnormalized {
			attention = overlap.Unnormalized
		}
		kappa, ok, err := bound(c.Dim, c.Beta, attention, c.Sigma, c.Depth, c.Within)
		if err != nil || !ok {
			return fmt.Errorf("no bound for %+v: %w", c, err)
		}
		cells[k].Kappa = kappa
	}
	return json.NewEncoder(os.Stdout).Encode(cells)
}
