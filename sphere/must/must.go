// Package must checks preconditions of tests: if a precondition is not met, the test fails and ends.
//
//	d := must.Get(overlap.New(4, 1, overlap.Softmax, 1))(t)
//	must.Do(t, os.WriteFile(path, content, 0o644))
package must

// T is a test, a benchmark, a fuzz test or a property test.
type T interface {
	Helper()
	Fatal(args ...any)
}

// Get returns a function that returns value, or fails and ends the test t if err is not nil.
func Get[V any](value V, err error) func(t T) V {
	return func(t T) V {
		t.Helper()
		Do(t, err)
		return value
	}
}

// Do fails and ends the test t unless err is nil.
func Do(t T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
