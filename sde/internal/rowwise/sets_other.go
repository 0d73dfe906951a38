//go:build !amd64

package rowwise

// sets are the instruction sets, by their level.
var sets = []instructions{generic}
