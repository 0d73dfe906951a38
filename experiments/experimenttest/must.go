package experimenttest

// Must is a value whose making is not what a test is about: an error panics.
func Must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
