package questions

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"antipode/data"
	"antipode/experiments/overlap"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/internal/lists"
	"antipode/sde/ordered"
)

// columnsOf returns the columns that a question asks for, as a JSON object.
func columnsOf(ctx context.Context, workers int, q question) ([]byte, error) {
	table := data.NewTable(data.Schema{Columns: data.ColumnsOf[overlap.BlockRow]()})
	if err := checkColumns(table.Schema, q.Columns); err != nil {
		return nil, err
	}
	points, err := q.points()
	if err != nil {
		return nil, err
	}
	work := func(_ context.Context, k int64) ([]overlap.BlockRow, error) { return rowsOf(ctx, q.at(int(k))) }
	err = ordered.Each(ctx, workers, int64(points), nil,
		func() func(context.Context, int64) ([]overlap.BlockRow, error) { return work },
		func(_ int64, rows []overlap.BlockRow) error { return data.WriteRows(table, rows...) })
	if err != nil {
		return nil, err
	}
	text := []byte{'{'}
	for k, name := range q.Columns {
		if k > 0 {
			text = append(text, ',')
		}
		text = table.AppendColumnJSON(fmt.Appendf(text, "%q:", name), table.Schema.Index(name))
	}
	return append(text, '}'), nil
}

// rowsOf returns the theory of the overlap at one point of a question, as a single row. If the layers have
// attention alone, the columns for layers with more than attention have no value.
func rowsOf(ctx context.Context, given map[string]string) ([]overlap.BlockRow, error) {
	e := overlap.New()
	if _, err := run.Configure(e, given, false); err != nil {
		return nil, err
	}
	if rows := len(e.Dim) * len(e.Beta) * max(1, len(e.Epsilon)); rows != 1 {
		return nil, fmt.Errorf("%d points in one value; must be a list with a value for each point", rows)
	}
	if err := checkPoint(e); err != nil {
		return nil, err
	}
	table := data.NewTable(data.Schema{Columns: e.Columns()})
	if err := e.Run(ctx, run.Options{Workers: 1}, table); err != nil {
		return nil, err
	}
	rows, err := data.RowsOf[overlap.BlockRow](table)
	if err == nil && len(e.Epsilon) == 1 { // the table of the theory has no column for epsilon
		rows[0].Epsilon = e.Epsilon[0]
	}
	return rows, err
}

// checkPoint returns an error for a parameter that adds rows, or columns that BlockRow does not have, to the
// table of the theory.
func checkPoint(e *overlap.Experiment) error {
	const unanswered = ": adds columns that are not answered here; must be left out"
	switch {
	case e.Boundary:
		return errors.New("boundary: is no point; must be left out")
	case e.Derivatives:
		return errors.New("derivatives" + unanswered)
	case e.Certify:
		return errors.New("certify" + unanswered)
	case e.Tokens == 3:
		return errors.New("tokens 3" + unanswered)
	}
	return nil
}

// checkColumns returns an error if a column that a question asks for does not exist, or is asked for twice.
func checkColumns(schema data.Schema, asked []string) error {
	names := lists.Map(schema.Columns, func(column data.Column) string { return column.Name })
	seen := map[string]bool{}
	for _, name := range asked {
		switch {
		case schema.Index(name) < 0:
			return fmt.Errorf("no column is called %.40q%s", name,
				parameter.DidYouMean(name, names, parameter.Typed))
		case seen[name]:
			return fmt.Errorf("column %q is asked for twice", name)
		}
		seen[name] = true
	}
	if len(asked) == 0 {
		return fmt.Errorf("no columns are asked for; must be some of %s", strings.Join(names, ", "))
	}
	return nil
}
