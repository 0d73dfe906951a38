package experiments

import (
	"errors"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/figure"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
)

// A parameter with a value that is not allowed is refused by Validate, by name, and nothing is run.
func TestForbiddenValues(t *testing.T) {
	for _, fresh := range All() {
		small[fresh.Name()](fresh)
		refused := 0
		for _, p := range fresh.Parameters() {
			e := reflect.New(reflect.TypeOf(fresh).Elem())
			e.Elem().Set(reflect.ValueOf(fresh).Elem())
			changed := e.Interface().(run.Experiment)
			field, found := fieldOf(e.Elem(), p.Name)
			if !found || !spoil(field) {
				continue
			}
			if err := parameter.ByName(changed.Parameters(), p.Name).Value.Check(); err == nil {
				continue // it means that there is none
			}
			refused++
			err := changed.Validate()
			experimenttest.CheckRefused(t, err, p.Name, "must be")
			table := data.NewTable(run.Schema(fresh, 1))
			ran := changed.Run(t.Context(), run.Options{Seed: 1}, table)
			if ran == nil || err == nil || ran.Error() != err.Error() || table.Rows() != 0 {
				t.Errorf("%s, %s: runs with error %v, %d rows", fresh.Name(), p.Name, ran, table.Rows())
			}
		}
		if refused == 0 {
			t.Errorf("%s: no value is refused", fresh.Name())
		}
	}
}

// fieldOf returns the field of an experiment that has a name in JSON.
func fieldOf(e reflect.Value, name string) (field reflect.Value, found bool) {
	for k := range e.NumField() {
		f := e.Type().Field(k)
		if f.Anonymous && f.Type.Kind() == reflect.Struct {
			if field, found = fieldOf(e.Field(k), name); found {
				return field, true
			}
		}
		if key, _, _ := strings.Cut(f.Tag.Get("json"), ","); key == name && f.IsExported() {
			return e.Field(k), true
		}
	}
	return field, false
}

// spoil changes a field that holds numbers or texts to a value that is hardly allowed, and reports whether it
// does.
func spoil(field reflect.Value) bool {
	strange := reflect.New(field.Type()).Elem()
	switch x := strange.Addr().Interface().(type) {
	case *float64:
		*x = math.NaN()
	case *int64:
		*x = -1
	case *int:
		*x = -1
	case *[]float64:
		*x = []float64{math.NaN()}
	case *[]int:
		*x = []int{-1}
	case *string:
		*x = "no name"
	case *[]string:
		*x = []string{"no name"}
	case **int64:
		*x = new(int64(-1))
	case **float64:
		*x = new(math.NaN())
	default:
		return false
	}
	field.Set(strange)
	return true
}

// Reports, summaries and figures of a table whose parameters cannot be read are errors that say so.
func TestTablesWithStrangeParameters(t *testing.T) {
	for _, e := range All() {
		schema := run.Schema(e, 1)
		k := slices.IndexFunc(schema.Metadata, func(x data.Entry) bool { return x.Key == data.KeyParameters })
		schema.Metadata[k].Value = "{"
		table := data.NewTable(schema)
		_, drawn := e.Draw(table)
		errs := map[string]error{"report": e.Describe(io.Discard, table), "figure": drawn}
		if s, is := e.(run.Summarizer); is && e.Name() != "overlap" { // whose rows are the summary
			errs["summary"] = s.WriteJSON(io.Discard, table)
		}
		for what, err := range errs {
			if errors.Is(err, figure.ErrNone) && e.Name() == "verify" {
				continue // none of its tables has one
			}
			if err == nil || !strings.HasPrefix(err.Error(), data.KeyParameters+": ") {
				t.Errorf("%s: a %s, error %v", e.Name(), what, err)
			}
		}
	}
}
