package simulate

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"antipode/data"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/internal/lists"
)

// sweep holds the values of the parameters that vary, as lists of at least two values. The list of a
// parameter that does not vary is nil. For a parameter that varies, the field of the Experiment has the first
// value of the list.
type sweep struct {
	Seeds              []uint64
	Tokens, Dim, Depth []int
	Beta, Epsilon      []float64
}

// lists returns pointers to the lists of values of a sweep, by the names of the lists in JSON.
func (v *sweep) lists() map[string]any {
	return map[string]any{"tokens": &v.Tokens, "dim": &v.Dim, "depth": &v.Depth, "beta": &v.Beta,
		"epsilon": &v.Epsilon, "seeds": &v.Seeds}
}

// A point of a sweep is an experiment in which no parameter varies, together with its seed and with the
// indices of the values of the parameters that vary.
type point struct {
	*Experiment
	seed uint64
	at   []int // for each axis
}

// axis is one of the parameters that vary in a sweep. Values are given by their indices, because not every
// seed is a float64.
type axis struct {
	column data.Column
	length int
	set    func(p *point, k int)
	number func(k int) float64               // a value in a figure
	text   func(k int) string                // a value in a report
	repeat func(k int, rows int) data.Values // a value as a column of the table
	// reader returns a function that reads the column of the table. The index of a number that is no value of
	// the axis is -1.
	reader func() func(part *data.Table) (indices []int, _ error)
}

// axes returns the axes of the sweep, one for each parameter that varies. From row to row of the table, the
// first axis varies least often.
func (s *Experiment) axes() []axis {
	v := s.varied
	all := []axis{
		axisOf[int64](v.Seeds, data.Column{Name: "seed", Meaning: "seed of the random numbers",
			Kind: data.Int64}, func(p *point) *uint64 { return &p.seed }),
		axisOf[int32](v.Tokens, data.Column{Name: "tokens", Meaning: "number N of tokens", Kind: data.Int32},
			func(p *point) *int64 { return &p.Tokens }),
		axisOf[int32](v.Dim, data.Column{Name: "dim", Meaning: "dimension d of the tokens", Kind: data.Int32},
			func(p *point) *int64 { return &p.Dim }),
		axisOf[int32](v.Depth, data.Column{Name: "depth", Meaning: "depth L", Kind: data.Int32},
			func(p *point) *int64 { return &p.Depth }),
		axisOf[float64](v.Beta, data.Column{Name: "beta", Meaning: "inverse temperature β",
			Kind: data.Float64}, func(p *point) *float64 { return &p.Beta }),
		axisOf[float64](v.Epsilon, data.Column{Name: "epsilon", Meaning: "noise amplitude ε",
			Kind: data.Float64}, func(p *point) *float64 { return &p.Epsilon }),
	}
	return lists.Filter(all, func(a axis) bool { return a.length > 0 })
}

// axisOf returns the axis of a parameter with a list of values. The function field returns the field of a
// point that the axis sets. The column of the table has numbers of type C.
func axisOf[C int32 | int64 | float64, V uint64 | int | float64, F uint64 | int64 | float64](
	values []V, column data.Column, field func(p *point) *F,
) axis {
	return axis{
		column: column, length: len(values),
		set: func(p *point, k int) {
			*field(p) = F(values[k])
			p.at = append(p.at, k)
		},
		number: func(k int) float64 { return float64(values[k]) },
		text:   func(k int) string { return fmt.Sprint(values[k]) },
		repeat: func(k int, rows int) data.Values {
			return data.Slice[C](slices.Repeat([]C{C(values[k])}, rows))
		},
		reader: func() func(part *data.Table) ([]int, error) {
			known := map[C]int{}
			for k, v := range values {
				known[C(v)] = k
			}
			return func(part *data.Table) ([]int, error) {
				column, err := data.ValuesOf[C](part, column.Name)
				return lists.Map(column, func(v C) int {
					if k, is := known[v]; is {
						return k
					}
					return -1
				}), err
			}
		},
	}
}

// points returns all combinations of the values of the parameters that vary, in the order of the table. If no
// parameter varies, the experiment itself is the only point.
func (s *Experiment) points(seed uint64) []point {
	axes, count := s.axes(), 1
	for _, a := range axes {
		count *= a.length
	}
	points := make([]point, count)
	for k := range points {
		one := *s
		one.varied = sweep{}
		p := point{Experiment: &one, seed: seed}
		rest, block := k, count
		for _, a := range axes {
			block /= a.length
			a.set(&p, rest/block)
			rest %= block
		}
		points[k] = p
	}
	return points
}

// checkSweep returns an error for a sweep with too many points, or for one in which different points would
// have different columns.
func (s *Experiment) checkSweep() error {
	count := 1.0
	for _, a := range s.axes() {
		count *= float64(a.length)
	}
	if count > parameter.LargestGrid {
		return parameter.Errorf("beta", s.textOf("beta"), "these are %.0f combinations; must be at most %d",
			count, parameter.LargestGrid)
	}
	for _, p := range []struct {
		name   string
		varies bool
	}{{"tokens", s.varied.Tokens != nil && !s.savesOutcomes()}, {"dim",
		s.varied.Dim != nil && s.Save == saveStates && !s.splits()}} {
		if p.varies {
			return parameter.Errorf(p.name, s.textOf(p.name), "the rows of --save %s would not have one "+
				"form; must be one number", s.Save)
		}
	}
	return nil
}

// textOf returns the text of the value of the parameter or seed with the given name.
func (s *Experiment) textOf(name string) string {
	all := append(s.Parameters(), s.SeedParameter(new(uint64)))
	return parameter.ByName(all, name).Value.String()
}

// sink returns a sink for the rows of a point of a sweep. The sink writes the values of the parameters that
// vary before the other columns.
func (p *point) sink(axes []axis, table data.Sink) data.Sink {
	return data.SinkFunc(func(columns ...data.Values) error {
		rows := columns[0].Len() // the first column is the index of the trajectory
		var all []data.Values
		for k, a := range axes {
			all = append(all, a.repeat(p.at[k], rows))
		}
		return table.Write(append(all, columns...)...)
	})
}

// plainExperiment is an Experiment without methods, so that package json encodes it as an ordinary struct.
type plainExperiment Experiment

// MarshalJSON encodes the experiment. A parameter that varies is encoded as the list of its values.
func (s *Experiment) MarshalJSON() ([]byte, error) {
	text, err := json.Marshal((*plainExperiment)(s))
	if err != nil {
		return nil, err
	}
	object, varied := []byte("{"), s.varied.lists()
	for name, value := range run.Entries(text) {
		if list, err := json.Marshal(varied[name]); err == nil && string(list) != "null" {
			value = list
		}
		object = fmt.Appendf(object, "%q:%s,", name, value)
	}
	if s.varied.Seeds != nil {
		object = fmt.Appendf(object, "%q:[%s],", "seeds", parameter.FormatList(s.varied.Seeds))
	}
	object[len(object)-1] = '}'
	return object, nil
}

// UnmarshalJSON reads the text that MarshalJSON writes.
func (s *Experiment) UnmarshalJSON(text []byte) error {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(text, &all); err != nil {
		return err
	}
	s.varied = sweep{}
	for name, list := range s.varied.lists() {
		var values []json.RawMessage
		if all[name] == nil || json.Unmarshal(all[name], &values) != nil {
			continue
		}
		if len(values) < 2 {
			return errors.New(name + ": a list of fewer than two values")
		}
		if err := json.Unmarshal(all[name], list); err != nil {
			return err
		}
		all[name] = values[0]
	}
	scalars, err := json.Marshal(all)
	if err == nil {
		err = json.Unmarshal(scalars, (*plainExperiment)(s))
	}
	if err != nil {
		return err
	}
	if s.Numbers.chosen { // the JSON then lacks the number of trajectories
		s.Trajectories = s.Numbers.count()
	}
	return nil
}

// swept is the value of a parameter that may vary. If the parameter has a list of values, the field has the
// first value of the list.
type swept[F int64 | float64, V int | float64] struct {
	field  *F
	values *[]V
	list   func(values *[]V) parameter.Value
}

func (v swept[F, V]) present() []V {
	if *v.values != nil {
		return *v.values
	}
	return []V{V(*v.field)}
}

func (v swept[F, V]) Set(text string) error {
	var values []V
	if err := v.list(&values).Set(text); err != nil {
		return err
	}
	*v.field, *v.values = F(values[0]), nil
	if len(values) > 1 {
		*v.values = values
	}
	return nil
}

func (v swept[F, V]) String() string {
	values := v.present()
	return v.list(&values).String()
}

func (v swept[F, V]) Allowed() string { return v.list(new([]V)).Allowed() }

func (v swept[F, V]) Bounds() parameter.Range {
	return v.list(new([]V)).(parameter.Bounded).Bounds()
}

func (v swept[F, V]) Placeholder() string { return v.list(new([]V)).Placeholder() }

func (v swept[F, V]) Check() error {
	values := v.present()
	return v.list(&values).Check()
}

func sweptReals(field *float64, values *[]float64, allowed parameter.Range) parameter.Value {
	return swept[float64, float64]{field, values,
		func(v *[]float64) parameter.Value { return parameter.Reals(v, allowed) }}
}

func sweptWholes(field *int64, values *[]int, allowed parameter.Range) parameter.Value {
	return swept[int64, int]{field, values,
		func(v *[]int) parameter.Value { return parameter.Wholes(v, allowed) }}
}

// SeedParameter implements run.SeedSweeper.
func (s *Experiment) SeedParameter(seed *uint64) parameter.Parameter {
	return parameter.Parameter{Name: "seed", Meaning: "seeds of the random numbers",
		Value: seedsValue{seed, &s.varied.Seeds}}
}

// seedsValue is a parameter value that is one seed or several seeds. Several seeds must be below 2^63, so
// that they fit into a column of integers.
type seedsValue struct {
	first *uint64
	seeds *[]uint64
}

func (v seedsValue) Set(text string) error {
	var seeds []uint64
	for _, word := range strings.Split(text, ",") {
		first, last, isRange := strings.Cut(word, "..")
		a, err := parameter.ParseWhole(first)
		if err != nil || !a.IsUint64() {
			return parameter.MustBe(v)
		}
		from, to := a.Uint64(), a.Uint64()
		if isRange {
			b, err := parameter.ParseWhole(last)
			if err != nil || !b.IsUint64() || b.Uint64() < from || b.Uint64()-from >= parameter.LargestGrid {
				return parameter.MustBe(v)
			}
			to = b.Uint64()
		}
		for seed := from; ; seed++ {
			seeds = append(seeds, seed)
			if seed == to {
				break
			}
		}
	}
	sorted := slices.Sorted(slices.Values(seeds))
	if len(slices.Compact(sorted)) < len(seeds) || len(seeds) > parameter.LargestGrid ||
		len(seeds) > 1 && slices.Max(seeds) > math.MaxInt64 {
		return parameter.MustBe(v)
	}
	*v.first, *v.seeds = seeds[0], nil
	if len(seeds) > 1 {
		*v.seeds = seeds
	}
	return nil
}
func (v seedsValue) String() string {
	if *v.seeds != nil {
		return parameter.FormatList(*v.seeds)
	}
	return strconv.FormatUint(*v.first, 10)
}
func (v seedsValue) Allowed() string {
	return "a whole number from 0 to 18446744073709551615, or different ones below 2^63: " +
		"a list such as 3,4,8 or a range 4..10"
}
func (v seedsValue) Placeholder() string { return "SEEDS" }
func (v seedsValue) Check() error        { return nil }
