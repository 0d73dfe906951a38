package tokens

import (
	"fmt"
	"io"
	"math"

	"antipode/data"
	"antipode/experiments/internal/outcomes"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/wording"
)

// Describe implements run.Experiment. The report of experiment tokens has a line for each cell, or for each
// number of tokens if there are many cells, and a few sentences.
func (*Experiment) Describe(w io.Writer, table *data.Table) error {
	k := New()
	rows, err := run.ReadRows[Row](k, table)
	if err != nil {
		return err
	}
	t := wording.NewTable(w)
	const fewCells = 16
	if len(rows) <= fewCells {
		listCells(t, rows, k.threeTokens())
	} else {
		listTokens(t, rows)
	}
	return t.End("\n" + k.sentence(rows))
}

func listCells(t io.Writer, rows []Row, withTheory bool) {
	theory, name := func(Row) string { return "" }, ""
	if withTheory {
		name = "theory of antipodal\tof single\t"
		theory = func(r Row) string {
			of := r.ThreeTokens
			return wording.OrNone(of.Antipodal) + "\t" + wording.OrNone(of.Single) + "\t"
		}
	}
	fmt.Fprintln(t, "N\tβ\tantipodal pair\t95 % interval\tantipodal\tsingle\tunclustered\t"+name)
	for _, r := range rows {
		fmt.Fprintf(t, "%d\t%g\t%.4f\t%.4f to %.4f\t%.4f\t%.4f\t%.4f\t%s\n",
			r.Tokens, r.Beta, r.PAntipodalPair, r.Low, r.High,
			r.fraction(r.Antipodal), r.fraction(r.Single), r.fraction(r.Unclustered), theory(r))
	}
}

func listTokens(t io.Writer, rows []Row) {
	fmt.Fprintln(t, "N\tantipodal pairs in β from\tto\tgreatest fraction\t95 % interval\tat β\t"+
		"clustered there\t")
	for _, rows := range run.Groups(rows, func(r Row) int32 { return r.Tokens }) {
		first, most, from, to := rows[0], rows[0], "none", "none"
		for _, r := range rows {
			if r.PAntipodalPair > most.PAntipodalPair {
				most = r
			}
			if r.AntipodalPair > 0 {
				to = parameter.FormatReal(r.Beta)
				if from == "none" {
					from = to
				}
			}
		}
		fmt.Fprintf(t, "%d\t%s\t%s\t%.4f\t%.4f to %.4f\t%g\t%.4f\t\n", first.Tokens, from, to,
			most.PAntipodalPair, most.Low, most.High, most.Beta, most.fraction(most.Antipodal+most.Single))
	}
}

// sentence states for how many numbers of tokens antipodal pairs occurred, and what their occurrence means.
func (k *Experiment) sentence(rows []Row) string {
	seen := map[int32]bool{}
	many := false
	for _, r := range rows {
		seen[r.Tokens] = seen[r.Tokens] || r.AntipodalPair > 0
		many = many || r.Tokens > 2
	}
	with := 0
	for _, pair := range seen {
		if pair {
			with++
		}
	}
	text := fmt.Sprintf("Antipodal pairs occur at time %g for %d of %s of tokens.",
		k.Horizon, with, wording.Count(len(seen), "number"))
	if many {
		text += " Two opposite clusters of unequal size do not stay opposite for ever: " +
			"see evolve --log-time and stability."
	}
	if difference := threeTokens(rows); !math.IsNaN(difference.Largest()) {
		text += outcomes.SentenceOn(difference, "")
	}
	if !k.Interaction.Identity() {
		text += " There is no theory to compare with, because the theory requires B to be the identity."
	}
	return text
}

// threeTokens returns the differences between the simulated fractions of two opposite clusters of three
// tokens and their theory. The result has no differences if the table does not have the theory of three
// tokens.
func threeTokens(rows []Row) (difference wording.Difference) {
	for _, r := range rows {
		if p := r.ThreeTokens.Antipodal; p == p {
			difference.Add(outcomes.Deviation(r.Antipodal, r.Trajectories, p))
		}
	}
	return difference
}
