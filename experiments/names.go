package experiments

import (
	"fmt"
	"slices"
	"strings"
)

// nameList is a list of different names.
type nameList struct {
	field *[]string
	names []string
}

func (v nameList) Set(text string) error {
	values := strings.Split(text, ",")
	for k := range values {
		values[k] = strings.TrimSpace(values[k])
	}
	if err := v.check(values); err != nil {
		return err
	}
	*v.field = values
	return nil
}
func (v nameList) String() string      { return formatList(*v.field) }
func (v nameList) Allowed() string     { return "one or more of " + strings.Join(v.names, ", ") }
func (v nameList) Placeholder() string { return "NAMES" }
func (v nameList) Check() error        { return v.check(*v.field) }

func (v nameList) check(values []string) error {
	if len(values) == 0 {
		return mustBe(v)
	}
	for k, name := range values {
		switch {
		case !slices.Contains(v.names, name):
			return mustBe(v)
		case slices.Contains(values[:k], name):
			return fmt.Errorf("%s is there twice; must be %s", name, v.Allowed())
		}
	}
	return nil
}
