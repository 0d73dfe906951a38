// Package coordinates tells a table of one ensemble of trajectories from a table of several ensembles, which
// differ in a parameter or in the seed.
//
//	var check coordinates.Check
//	for part, err := range data.Parts(reader.Next) {
//		if err == nil {
//			err = check.Add(part)
//		}
//		if err != nil {
//			return err
//		}
//	}
package coordinates

import (
	"fmt"

	"antipode/data"
)

// Names are the names of the columns in which a table of simulated trajectories has the parameters that vary,
// and the seed if it varies.
var Names = []string{"seed", "tokens", "dim", "depth", "beta", "epsilon"}

// Check checks the rows of a table, part after part. The zero value is ready to use.
type Check struct {
	first map[string]string // value of the first row in each column of Names that the table has
}

// Add checks the next rows of the table. The error names the first column of Names in which rows that were
// added have different numbers. Columns of other kinds than numbers are ignored.
func (c *Check) Add(part *data.Table) error {
	if c.first == nil {
		c.first = map[string]string{}
	}
	for _, name := range Names {
		at := part.Schema.Index(name)
		if at < 0 {
			continue
		}
		for _, value := range distinct(part.Columns[at]) {
			first, is := c.first[name]
			if !is {
				c.first[name] = value
			} else if value != first {
				return fmt.Errorf("column %s has the values %s and %s; keep the rows with one of them, or "+
					"simulate with one", name, first, value)
			}
		}
	}
	return nil
}

// distinct returns the texts of the numbers in a column, without repetitions of the number before.
func distinct(values data.Values) []string {
	switch v := values.(type) {
	case data.Slice[int32]:
		return changes(v)
	case data.Slice[int64]:
		return changes(v)
	case data.Slice[float64]:
		return changes(v)
	}
	return nil
}

func changes[T int32 | int64 | float64](values []T) (texts []string) {
	for k, x := range values {
		if k == 0 || x != values[k-1] {
			texts = append(texts, fmt.Sprint(x))
		}
	}
	return texts
}
