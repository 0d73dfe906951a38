package domaintest

import (
	"errors"
	"fmt"
	"slices"
	"testing"
)

// messages is a test that records what it reports.
type messages struct {
	testing.TB
	all []string
}

func (m *messages) Helper() {}

func (m *messages) Errorf(format string, args ...any) {
	m.all = append(m.all, fmt.Sprintf(format, args...))
}

func (m *messages) Fatalf(format string, args ...any) { m.Errorf("fatal: "+format, args...) }

// Check reports each value on the wrong side of a limit, and a domain without any value.
func TestCheck(t *testing.T) {
	below3 := func(x int) error {
		if x < 3 {
			return nil
		}
		return errors.New("large")
	}
	for _, c := range []struct{ accepted, refused, want []int }{
		{[]int{0, 2}, []int{3, 4}, nil}, {[]int{1}, nil, nil}, {nil, []int{3}, nil},
		{[]int{2, 3, 4}, []int{5}, []int{3, 4}}, {[]int{2}, []int{1, 3, 0}, []int{1, 0}},
	} {
		var got messages
		Check(&got, "n", below3, c.accepted, c.refused)
		var want []string
		for _, x := range c.want {
			text := fmt.Sprintf("n = %d is accepted", x)
			if x >= 3 {
				text = fmt.Sprintf("n = %d is refused: large", x)
			}
			want = append(want, text)
		}
		if !slices.Equal(got.all, want) {
			t.Errorf("%v and %v: %q, want %q", c.accepted, c.refused, got.all, want)
		}
	}
	var none messages
	Check(&none, "n", below3, nil, nil)
	if want := []string{"fatal: n: no values"}; !slices.Equal(none.all, want) {
		t.Errorf("%q, want %q", none.all, want)
	}
}
