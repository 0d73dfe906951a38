package experimenttest

// Must returns a value, and panics if err is not nil. Must is for values that a test needs but does not test.
func Must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
