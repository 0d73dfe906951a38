package experiments

import (
	"fmt"
	"slices"
	"strings"
)

// choices are several different names of some, in a list of strings.
type choices struct {
	field *[]string
	names []string
}

func (v choices) Set(text string) error {
	given := strings.Split(text, ",")
	if !v.allow(given) {
		return mustBe(v)
	}
	*v.field = given
	return nil
}
func (v choices) String() string { return strings.Join(*v.field, ",") }
func (v choices) Allowed() string {
	return fmt.Sprintf("%s, or several of them with commas between", choice{names: v.names}.Allowed())
}
func (v choices) Placeholder() string { return "NAMES" }
func (v choices) Check() error        { return checkThat(v.allow(*v.field), v) }

func (v choices) allow(given []string) bool {
	for k, name := range given {
		if !slices.Contains(v.names, name) || slices.Contains(given[:k], name) {
			return false
		}
	}
	return len(given) > 0
}
