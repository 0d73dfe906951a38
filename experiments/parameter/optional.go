package parameter

// optional is a parameter value that may be absent. The text of an absent value is the field named absent.
type optional[T any] struct {
	field  **T
	absent string
	of     func(field *T) Value // the parameter value if it is present
}

func (v optional[T]) Set(text string) error {
	if text == v.absent {
		*v.field = nil
		return nil
	}
	x := new(T)
	if v.of(x).Set(text) != nil {
		return MustBe(v)
	}
	*v.field = x
	return nil
}

func (v optional[T]) String() string {
	if *v.field == nil {
		return v.absent
	}
	return v.of(*v.field).String()
}

func (v optional[T]) Absent() string      { return v.absent }
func (v optional[T]) Bounds() Range       { return v.of(new(T)).(Bounded).Bounds() }
func (v optional[T]) Allowed() string     { return v.absent + " or " + v.of(new(T)).Allowed() }
func (v optional[T]) Placeholder() string { return v.of(new(T)).Placeholder() }
func (v optional[T]) Check() error {
	return CheckThat(*v.field == nil || v.of(*v.field).Check() == nil, v)
}

// OptionalReals returns a parameter value that is a list of different real numbers, as in Reals, or an empty
// list. The text of an empty list is the argument absent.
func OptionalReals(field *[]float64, absent string, allowed Range) Value {
	return optionalReals{realGrid{field, allowed, absent}}
}

type optionalReals struct{ realGrid }

func (v optionalReals) Absent() string { return v.absent }

// OptionalReal returns a parameter value that is a real number in a range, or absent. The text of an absent
// number, for which *field is nil, is the argument absent.
func OptionalReal(field **float64, absent string, allowed Range) Value {
	return optional[float64]{field, absent, func(x *float64) Value { return Real(x, allowed) }}
}

// OptionalWhole returns a parameter value that is an integer in a range, or absent. The text of an absent
// integer, for which *field is nil, is the argument absent.
func OptionalWhole(field **int64, absent string, allowed Range) Value {
	return optional[int64]{field, absent, func(x *int64) Value { return Whole(x, allowed) }}
}
