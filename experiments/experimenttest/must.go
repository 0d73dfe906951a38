package experimenttest

// Must returns a value whose construction is not what a test is about; it panics on an error.
func Must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
