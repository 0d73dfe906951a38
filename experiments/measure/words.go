package measure

import (
	"fmt"
	"math"
	"strings"
)

// nearlyOne is the mean cosine above which the tokens of a layer count as a single point. Tokens of a larger
// cosine differ by less than 45 % of their length.
const nearlyOne = 0.9

// inWords explains, to a person who trains the model, what each number of a table of hidden states means, one
// line each, and what to do about it.
func (m *Experiment) inWords(rows []LooseRow) string {
	first, last := rows[0], rows[len(rows)-1]
	if math.IsNaN(last.Overlap) || math.IsNaN(first.Overlap) {
		return "There are fewer than two tokens to compare.\n"
	}
	lines := []string{cosines(first.Row, last.Row), m.clusters(last), opposites(last.Row),
		rank(first.Row, last.Row), m.energy(last.Row), norms(first.Row, last.Row), m.beside(rows)}
	var b strings.Builder
	for _, line := range append(lines, whatToDo(rows)...) {
		if line != "" {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}

// cosines describes in words what the overlaps of tokens in the last layer mean. The root mean square
// difference of normalised tokens of mean cosine c is √(2(1-c)) of their length.
func cosines(first, last Row) string {
	before := fmt.Sprintf("in layer %d the mean cosine is %s, a difference of %s.",
		first.Layer, short(first.Overlap),
		differing(first.Overlap))
	if difference(last.Low) < rounding {
		return fmt.Sprintf("Overlap: tokens of layer %d coincide up to rounding, with mean cosine 1; %s",
			last.Layer, before)
	}
	return fmt.Sprintf("Overlap: tokens of layer %d have a mean cosine of %s: two tokens differ by %s of "+
		"their length, and nine tenths of the pairs by %s to %s; %s", last.Layer, short(last.Overlap),
		differing(last.Overlap), differing(last.High), differing(last.Low), before)
}

// clusters describes in words how many tokens of the last layer coincide.
func (m *Experiment) clusters(last LooseRow) string {
	if m.loosely() {
		return fmt.Sprintf("Clusters: cosines of 0.5, 0.9 and 0.99 or more connect %s tokens to %s, %s and "+
			"%s clusters.", short(last.Tokens), short(last.Half), short(last.Ninety), short(last.NinetyNine))
	}
	same := fmt.Sprintf("a cosine of %g or more, which is %s of a length apart or less", 1-m.Tolerance,
		differing(1-m.Tolerance))
	switch {
	case last.Clusters == 1:
		return "Clusters: the tokens are a single cluster, connected by " + same + "."
	case last.Plus == 0:
		return "Clusters: no two tokens have " + same + "; --thresholds counts the clusters that " +
			"cosines of 0.5, 0.9 and 0.99 connect."
	}
	return fmt.Sprintf("Clusters: %.3g %% of the pairs have %s; such pairs connect %s tokens to %s "+
		"clusters.",
		100*last.Plus, same, short(last.Tokens), short(last.Clusters))
}

// opposites describes in words how many tokens of the last layer are opposite. The text is "" if no tokens
// are opposite.
func opposites(last Row) string {
	if !(last.Minus > 0) {
		return ""
	}
	return fmt.Sprintf("Opposite: %.3g %% of the pairs point in opposite directions, and %.3g %% of the "+
		"sequences are two opposite clusters and nothing else.", 100*last.Minus, 100*last.Antipodal)
}

// rank describes in words how many directions the tokens span.
func rank(first, last Row) string {
	return fmt.Sprintf("Stable rank Σλ²/λ₁² of XXᵀ, λ its eigenvalues: %s in layer %d, and %s in layer %d, "+
		"of %s tokens; 1 means that all tokens are along one line.", short(first.StableRank), first.Layer,
		short(last.StableRank), last.Layer, short(last.Tokens))
}

// energy states in words the energy of the tokens as a share of the energy of a single point. Both terms of
// the energy of N orthogonal tokens are given, because a table does not say how many tokens each sequence
// has: the mean number is not enough if sequences have different lengths.
func (m *Experiment) energy(last Row) string {
	apart := math.Exp(-m.Beta)
	return fmt.Sprintf("Energy: at β = %g the energy of tokens of layer %d is %.3g %% of that of tokens "+
		"that coincide; that of N tokens at right angles is %.3g %% + %.3g %%/N.", m.Beta, last.Layer,
		100*2*m.Beta*last.Energy*apart, 100*apart, 100*(1-apart))
}

// norms describes in words how the norms of the tokens grow from the first layer to the last.
func norms(first, last Row) string {
	return fmt.Sprintf("Norm: tokens have a length of %s in layer %d, and %s in layer %d, which "+
		"is %.3g times as long.",
		short(first.Norm), first.Layer, short(last.Norm), last.Layer, last.Norm/first.Norm)
}

// beside describes in words how far the overlaps of tokens are from the theory. The text is "" without a
// theory.
func (m *Experiment) beside(rows []LooseRow) string {
	worst, at := math.NaN(), rows[0]
	for _, r := range rows {
		if d := math.Abs(r.Overlap - r.Theory); !math.IsNaN(d) && !(d <= worst) {
			worst, at = d, r
		}
	}
	if math.IsNaN(worst) {
		return ""
	}
	return fmt.Sprintf("Theory: a random %s network from the tokens of layer 0 on has a mean cosine of "+
		"%s in layer %d; the largest difference is in layer %d, %s measured and %s by theory.", m.Block,
		short(rows[len(rows)-1].Theory), rows[len(rows)-1].Layer, at.Layer, short(at.Overlap),
		short(at.Theory))
}

// same is the fraction of equal or opposite pairs of tokens above which the tokens of a layer count as a few
// points.
const same = 0.5

// fewPoints returns the first layer in which tokens are nearly a single point or most pairs of tokens are
// equal or opposite. The result is nil if no layer has nearly equal or opposite tokens.
func fewPoints(rows []LooseRow) *LooseRow {
	for k, r := range rows {
		if r.Overlap > nearlyOne || r.Plus+r.Minus >= same {
			return &rows[k]
		}
	}
	return nil
}

// longer is the factor by which the norms of tokens must grow before the report says that the branches of the
// last layers contribute less.
const longer = 4

// whatToDo returns sentences on what to do about what the layers show.
func whatToDo(rows []LooseRow) (lines []string) {
	first, last := rows[0], rows[len(rows)-1]
	few := fewPoints(rows)
	if few != nil {
		lines = append(lines, fmt.Sprintf("What to do: from layer %d on (mean cosine %s) layers see few "+
			"different tokens. Branches that are weaker beside the residual connection (times "+
			"1/√(2·layers)), "+
			"smaller value weights or fewer layers keep tokens apart; antipode advise says by how much.",
			few.Layer, short(few.Overlap)))
	}
	if last.Minus >= 0.1 {
		lines = append(lines, "What to do: opposite tokens are one direction to the layers that read them. "+
			"Tokens stay opposite where attention prefers similar tokens: smaller query and key weights, "+
			"or an MLP that is not odd, as of ReLU or GELU, part them; measure --weights says where β "+
			"stands.")
	}
	if few == nil && last.StableRank < 1.1 {
		lines = append(lines, "What to do: tokens are nearly along one line. Either many are nearly equal "+
			"or opposite, or one token, or one coordinate, is much larger than all others. LayerNorm before "+
			"the layer that reads the tokens shortens a long token; compare tokens after LayerNorm.")
	}
	if last.Norm > longer*first.Norm {
		lines = append(lines, fmt.Sprintf("What to do: beside the last tokens a branch is %.2g times "+
			"smaller than beside the first ones, if all branches are alike. For late layers to count, "+
			"begin with branches times 1/√(2·layers), or larger embeddings.", last.Norm/first.Norm))
	}
	if len(lines) == 0 {
		lines = append(lines, "What to do: nothing. Tokens stay apart, and have about the same length.")
	}
	return lines
}
