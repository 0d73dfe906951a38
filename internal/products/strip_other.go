//go:build !amd64

package products

// sets are all instruction sets, by their level.
var sets = []instructions{generic}
