package stability

import (
	"fmt"
	"slices"
	"strings"

	"antipode/experiments/parameter"
	"antipode/internal/lists"
)

// massPairs is a parameter value: a list of pairs of cluster sizes, as numbers of tokens.
type massPairs struct{ field *[][2]int }

const mostMass = 1000

func (v massPairs) Set(text string) error {
	var pairs [][2]int
	for _, pair := range strings.Split(text, "/") {
		first, second, _ := strings.Cut(pair, ",")
		m1, err1 := parameter.ParseWithin(first, 1, mostMass)
		m2, err2 := parameter.ParseWithin(second, 1, mostMass)
		if err1 != nil || err2 != nil {
			return parameter.MustBe(v)
		}
		pairs = append(pairs, [2]int{int(m1), int(m2)})
	}
	if err := (massPairs{&pairs}).Check(); err != nil {
		return err
	}
	*v.field = pairs
	return nil
}

func (v massPairs) String() string {
	texts := lists.Map(*v.field, func(pair [2]int) string { return parameter.FormatList(pair[:]) })
	return strings.Join(texts, "/")
}

func (v massPairs) Allowed() string {
	return fmt.Sprintf("two whole numbers from 1 to %d, such as 1,2, or several pairs, such as 1,2/1,3",
		mostMass)
}
func (v massPairs) Placeholder() string { return "PAIRS" }

func (v massPairs) Check() error {
	for k, pair := range *v.field {
		for _, m := range pair {
			if m < 1 || m > mostMass {
				return parameter.MustBe(v)
			}
		}
		if slices.Contains((*v.field)[:k], pair) {
			return fmt.Errorf("%d,%d is there twice; %w", pair[0], pair[1], parameter.MustBe(v))
		}
	}
	return parameter.CheckThat(len(*v.field) > 0, v)
}
