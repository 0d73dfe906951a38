package mlp

import (
	"fmt"
	"io"
	"math"
	"strings"

	"antipode/data"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/wording"
	"antipode/sphere/activation"
)

// Describe implements run.Experiment. The report of experiment mlp has a line for each activation function
// and dimension, and a few sentences.
func (*Experiment) Describe(w io.Writer, table *data.Table) error {
	m := New()
	rows, err := run.ReadRows[Row](m, table)
	if err != nil {
		return err
	}
	t := wording.NewTable(w)
	fmt.Fprintln(t, "activation\td\tcells\tantipodal attracts\tneither\t"+
		"most antipodal\tat β\tand c\tin the limit\t")
	for _, a := range m.Activation {
		for _, d := range m.Dim {
			s := summaryOf(rows, a, d)
			fmt.Fprintf(t, "%v\t%d\t%d\t%d\t%d\t%.4f\t%g\t%g\t%s\t\n", a, d, s.cells, s.attracts, s.neither,
				s.most.PAntipodal, s.most.Beta, s.most.Strength, wording.OrNone(s.most.Limit))
		}
	}
	return t.End("\n" + m.sentences(rows))
}

// summary summarises the cells of an activation function and a dimension.
type summary struct {
	cells, attracts, neither int
	most                     Row // row of the greatest antipodal fraction
}

func summaryOf(rows []Row, a activation.Activation, d int) (s summary) {
	for _, r := range rows {
		if r.Activation != a || int(r.Dim) != d {
			continue
		}
		if s.cells++; s.cells == 1 || r.PAntipodal > s.most.PAntipodal {
			s.most = r
		}
		if r.Limit > 0 {
			s.attracts++
		}
		if !math.IsNaN(r.LimitMean) {
			s.neither++
		}
	}
	return s
}

// sentences states where opposite clusters are attracting in theory, and where they occurred in the
// simulation.
func (m *Experiment) sentences(rows []Row) string {
	var attracts, attractsSeen, leavesSeen int
	for _, r := range rows {
		seen := 0
		if r.Antipodal > 0 {
			seen = 1
		}
		if r.Limit > 0 {
			attracts, attractsSeen = attracts+1, attractsSeen+seen
		} else {
			leavesSeen += seen
		}
	}
	text := fmt.Sprintf("With pre-activations of variance w = %s opposite clusters attract in %d of %s, "+
		"and opposite clusters were seen in %d of the cells in which they attract.",
		parameter.FormatReal(m.Variance), attracts, wording.Count(len(rows), "cell"), attractsSeen)
	if leavesSeen > 0 {
		text += fmt.Sprintf(" Opposite clusters were also seen in %d of the other cells, where the "+
			"clusters come together later.",
			leavesSeen)
	}
	var even []string
	for _, a := range m.Activation {
		if !a.Odd() {
			even = append(even, a.String())
		}
	}
	if len(even) > 0 {
		text += fmt.Sprintf(" No clusters stay opposite with an MLP whose activation %s is not odd.",
			strings.Join(even, " or "))
	}
	return text
}
