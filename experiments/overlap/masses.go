package overlap

import (
	"fmt"
	"strings"

	"antipode/experiments/parameter"
)

// masses is a parameter value: the sizes of two clusters, as numbers of tokens.
type masses struct {
	field *[2]float64
	parameter.Range
}

func (v masses) Set(text string) error {
	first, second, ok := strings.Cut(text, ",")
	m1, err1 := parameter.ParseNumber(first)
	m2, err2 := parameter.ParseNumber(second)
	if !ok || err1 != nil || err2 != nil || !v.Contains(m1) || !v.Contains(m2) {
		return parameter.MustBe(v)
	}
	*v.field = [2]float64{m1, m2}
	return nil
}

func (v masses) String() string { return parameter.FormatList(v.field[:]) }

func (v masses) Allowed() string { return fmt.Sprintf("two numbers %v, such as 1,2", v.Range) }

func (v masses) Placeholder() string { return "MASSES" }

func (v masses) Check() error {
	return parameter.CheckThat(v.Contains(v.field[0]) && v.Contains(v.field[1]), v)
}
