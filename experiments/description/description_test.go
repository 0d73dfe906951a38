package description

import (
	"slices"
	"testing"
)

// A description is complete enough to generate functions or forms from it: numbers have bounds, names have
// their options, and columns have a meaning and a type.
func TestDescriptionIsComplete(t *testing.T) {
	numbers := []string{"number", "numbers", "count", "counts"}
	for _, c := range All().Commands {
		for _, p := range c.Parameters {
			switch {
			case p.Meaning == "" || p.Allowed == "" && p.Type != "switch":
				t.Errorf("%s --%s: no meaning, or nothing is allowed", c.Name, p.Name)
			case slices.Contains(numbers, p.Type) && (p.Low == nil || p.High == nil):
				t.Errorf("%s --%s: a %s without bounds", c.Name, p.Name, p.Type)
			case (p.Type == "name" || p.Type == "names") && len(p.Options) == 0:
				t.Errorf("%s --%s: a %s without names", c.Name, p.Name, p.Type)
			}
		}
		if len(c.Tables) == 0 {
			t.Errorf("%s: no table", c.Name)
		}
		for _, table := range c.Tables {
			for _, column := range table.Columns {
				if column.Meaning == "" || column.Type == "" {
					t.Errorf("%s, %s: column %s has no meaning or no type", c.Name, table.Save, column.Name)
				}
			}
			if len(table.Columns) == 0 {
				t.Errorf("%s, %s: no columns", c.Name, table.Save)
			}
		}
	}
}

// The description of a few parameters, columns and tables agrees with the documentation.
func TestDescription(t *testing.T) {
	phase := All().Commands[0]
	named := func(p Parameter) bool { return p.Name == "beta" }
	beta := phase.Parameters[slices.IndexFunc(phase.Parameters, named)]
	if beta.Type != "numbers" || *beta.Low != 0 || *beta.High != 1000 || beta.Open ||
		beta.Default != "0:2:0.1" ||
		len(beta.Options) > 0 {
		t.Errorf("%+v", beta)
	}
	if c := phase.Tables[0].Columns[0]; c.Name != "dim" || c.Type != "int32" || len(phase.Tables) != 2 {
		t.Errorf("%+v", c)
	}
	if with := phase.Tables[1]; with.With != "mlp" || len(with.Columns) != len(phase.Tables[0].Columns)+2 ||
		!slices.ContainsFunc(with.Columns, func(c Column) bool { return c.Name == "overlap_limit" }) {
		t.Errorf("with an MLP: %+v", with)
	}
	for _, c := range All().Commands {
		if want := c.Name == "overlap" || c.Name == "verify"; c.Prints != want {
			t.Errorf("%s prints: %v", c.Name, c.Prints)
		}
		if c.Name != "simulate" {
			continue
		}
		var saved []string
		for _, table := range c.Tables {
			saved = append(saved, table.Save)
		}
		want := []string{"outcomes", "overlaps", "states", "attention", "density", "summary"}
		if !slices.Equal(saved, want) {
			t.Errorf("simulate saves %v, want %v", saved, want)
		}
	}
}
