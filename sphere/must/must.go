// Package must is for what a test needs and is not about: it ends the test that does not get it.
//
//	d := must.Get(overlap.New(4, 1, overlap.Softmax, 1))(t)
//	must.Do(t, os.WriteFile(path, content, 0o644))
package must

// T is a test, a benchmark, a fuzz test or a property.
type T interface {
	Helper()
	Fatal(args ...any)
}

// Get returns a value that comes without an error; t ends if there is one.
func Get[V any](value V, err error) func(t T) V {
	return func(t T) V {
		t.Helper()
		Do(t, err)
		return value
	}
}

// Do ends t unless err is nil.
func Do(t T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
