package tokens

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"antipode/data"
	"antipode/experiments/columns"
	"antipode/experiments/internal/interaction"
	"antipode/experiments/parameter"
)

// tokensCells are the columns of a table of Tokens that text and figure need.
type tokensCells struct {
	tokens                                []int32
	beta                                  []float64
	trajectories, pair, antipodal, single []int64
	estimate, low, high                   []float64
}

// readTokens returns the experiment that wrote a table, and its columns.
func readTokens(t *data.Table) (*Tokens, *tokensCells, error) {
	k := New()
	text, _ := t.Schema.Value(data.KeyParameters)
	err := json.Unmarshal([]byte(text), k)
	if err == nil {
		err = k.check()
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", data.KeyParameters, err)
	}
	r := columns.Reader{Table: t}
	c := &tokensCells{
		tokens:       columns.Of[int32](&r, "tokens"),
		beta:         columns.Of[float64](&r, "beta"),
		trajectories: columns.Of[int64](&r, "trajectories"),
		pair:         columns.Of[int64](&r, "antipodal_pair"),
		antipodal:    columns.Of[int64](&r, "antipodal"),
		single:       columns.Of[int64](&r, "single"),
		estimate:     columns.Of[float64](&r, "p_antipodal_pair"),
		low:          columns.Of[float64](&r, "p_low"),
		high:         columns.Of[float64](&r, "p_high"),
	}
	if r.Err == nil && len(c.beta) == 0 {
		r.Err = columns.ErrNoRows
	}
	return k, c, r.Err
}

// Describe implements Experiment: a line a cell, or a number of tokens if there are
// many, and some sentences.
func (*Tokens) Describe(w io.Writer, table *data.Table) error {
	k, c, err := readTokens(table)
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	const fewCells = 16
	if len(c.beta) <= fewCells {
		c.listCells(t)
	} else {
		c.listTokens(t)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err = fmt.Fprintln(w, "\n"+c.sentence(k))
	return err
}

func (c *tokensCells) listCells(t io.Writer) {
	fmt.Fprintln(t, "N\tβ\tantipodal pair\t95 % interval\tantipodal\tsingle\tunclustered\t")
	for k := range c.beta {
		n := float64(c.trajectories[k])
		antipodal, single := float64(c.antipodal[k])/n, float64(c.single[k])/n
		fmt.Fprintf(t, "%d\t%g\t%.4f\t%.4f to %.4f\t%.4f\t%.4f\t%.4f\t\n", c.tokens[k], c.beta[k], c.estimate[k],
			c.low[k], c.high[k], antipodal, single, float64(c.trajectories[k]-c.antipodal[k]-c.single[k])/n)
	}
}

func (c *tokensCells) listTokens(t io.Writer) {
	fmt.Fprintln(t, "N\tantipodal pairs in β from\tto\tgreatest fraction\t95 % interval\tat β\tclustered there\t")
	for first := 0; first < len(c.beta); {
		last, most, from, to := first, first, "none", "none"
		for ; last < len(c.beta) && c.tokens[last] == c.tokens[first]; last++ {
			if c.estimate[last] > c.estimate[most] {
				most = last
			}
			if c.pair[last] > 0 {
				to = parameter.FormatReal(c.beta[last])
				if from == "none" {
					from = to
				}
			}
		}
		fmt.Fprintf(t, "%d\t%s\t%s\t%.4f\t%.4f to %.4f\t%g\t%.4f\t\n", c.tokens[first], from, to, c.estimate[most],
			c.low[most], c.high[most], c.beta[most], float64(c.antipodal[most]+c.single[most])/float64(c.trajectories[most]))
		first = last
	}
}

// sentence says for how many numbers of tokens pairs were seen, and what to make of it.
func (c *tokensCells) sentence(k *Tokens) string {
	seen := map[int32]bool{}
	many := false
	for i, n := range c.tokens {
		seen[n] = seen[n] || c.pair[i] > 0
		many = many || n > 2
	}
	with := 0
	for _, pair := range seen {
		if pair {
			with++
		}
	}
	text := fmt.Sprintf("Antipodal pairs at time %g for %d of %d numbers of tokens.", k.Horizon, with, len(seen))
	if many {
		text += " Two opposite clusters of unequal size do not stay opposite for ever: see evolve --log-time and stability."
	}
	if k.Interaction != interaction.Identity {
		text += " There is no theory to compare with: it takes B to be the identity."
	}
	return text
}
