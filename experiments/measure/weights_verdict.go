package measure

import (
	"fmt"
	"path/filepath"
	"strings"

	"antipode/experiments/internal/namedfile"
	"antipode/experiments/measure/weights"

	"gonum.org/v1/gonum/mathext"
)

// falseAlarm is the probability with which random matrices have a count of outliers that is reported as
// learned.
const falseAlarm = 1e-3

// byChance returns the probability that at least count of so many random matrices have a singular value above
// the value that the largest singular value of a random matrix exceeds with probability 0.01.
func byChance(count, of int) float64 {
	if count < 1 {
		return 1
	}
	return mathext.RegIncBeta(float64(count), float64(of-count+1), 0.01)
}

// verdict says in words which kinds of weight matrices have more outliers than random matrices have. The
// counts values and scores are those of heads with outliers in W_O W_V and in W_QᵀW_K, and inner and outer
// those of layers with outliers in W_1 and in W_2.
func verdict(heads, values, scores, layers, inner, outer int) string {
	var learned []string
	for _, kind := range []struct {
		name      string
		count, of int
	}{
		{"W_O W_V", values, heads}, {"W_QᵀW_K", scores, heads},
		{"W_1", inner, layers}, {"W_2", outer, layers},
	} {
		if byChance(kind.count, kind.of) < falseAlarm {
			learned = append(learned, kind.name)
		}
	}
	if len(learned) == 0 {
		return fmt.Sprintf("They look as drawn: random matrices reach each of these counts with a "+
			"probability of %g %% or more.\n", 100*falseAlarm)
	}
	last := len(learned) - 1
	names := learned[last]
	if last > 0 {
		names = strings.Join(learned[:last], ", ") + " and " + names
	}
	return fmt.Sprintf("%s have learned directions that random matrices do not have: random matrices reach "+
		"such a count with a probability below %g %%. The theory of random layers holds for the remaining "+
		"directions.\n", names, 100*falseAlarm)
}

// whyUnknown says in words why it is not known for any layer whether opposite tokens stay opposite.
func (m model) whyUnknown() string {
	first := ""
	for _, r := range m.layers {
		reason := whyUnknownIn(r)
		if reason == "" {
			return "the theory has no MLP with gates or of SiLU"
		}
		if first == "" {
			first = reason
		}
	}
	return first
}

// whyUnknownIn says in words which numbers in the row of a layer the theory of two tokens does not have. The
// result is "" if it has all of them, and so does not have the MLP.
func whyUnknownIn(r weights.Row) string {
	if beyond := r.Beyond(); beyond != "" {
		return beyond
	}
	if !(r.A.Value > 0) || r.MLPStrength == 0 {
		return "values have no random part"
	}
	return ""
}

// assumedHeads returns a sentence that says that the number of heads was assumed, or "" if it was given. The
// file of a map may have a number of heads; the report is written without this file.
func (m *Experiment) assumedHeads() string {
	if m.Heads != nil {
		return ""
	}
	assumed := "One head per 64 dimensions is assumed"
	if name := namedfile.Name(m.matrixNames()); strings.EqualFold(filepath.Ext(name), ".json") {
		assumed = fmt.Sprintf("Unless %s has a number of heads, one head per 64 dimensions is assumed",
			name)
	}
	return assumed + ". Heads of another size, such as 128 in Llama 2 and 3 and in Mistral, need --heads " +
		"or a config.json as --names.\n"
}
