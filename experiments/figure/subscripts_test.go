package figure

import (
	"slices"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
)

// A subscript follows a single letter. Underscores in names do not make subscripts.
func TestSubscripts(t *testing.T) {
	for line, want := range map[string][]string{
		"W_Q":               {"W", "_Q", ""},
		"W_QᵀW_K":           {"W", "_Q", "ᵀW", "_K", ""},
		"E‖∂S/∂W_Q‖²":       {"E‖∂S/∂W", "_Q", "‖²"},
		"α_SA = 1, σ_w² =":  {"α", "_SA", " = 1, σ", "_w", "² ="},
		"β_c":               {"β", "_c", ""},
		"pre_norm.npy":      {"pre_norm.npy"},
		"x_train.npy":       {"x_train.npy"},
		"x_train":           {"x_train"},
		"a_b.npy, x_1, A_,": {"a_b.npy, x_1, A_,"},
		"_a":                {"_a"},
		"ε² = 1+e^-2β, W_Q": {"ε² = 1+e", "^−2β", ", W", "_Q", ""},
		"ε² = 2e^-β":        {"ε² = 2e", "^−β", ""},
		"exp^-a, ^-a, e^-,": {"exp^-a, ^-a, e^-,"},
		"e^b":               {"e^b"},
	} {
		var got []string
		for _, p := range piecesOf(line) {
			if p.sign != 0 {
				p.text = string(p.sign) + p.text
			}
			got = append(got, p.text)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
	large := font.From(plot.DefaultFont, 20)
	wide, _, _ := plot.DefaultTextHandler.Box("WQ", large)
	narrow, _, _ := plot.DefaultTextHandler.Box("W_Q", large)
	if !(narrow > wide/2 && narrow < 0.95*wide) {
		t.Errorf("widths %v of WQ and %v of W_Q", wide, narrow)
	}
}
