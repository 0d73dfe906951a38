//go:build !amd64

package products

// byName is the instruction set of that name, nil if it has none of its own.
func byName(string) *instructions { return nil }
