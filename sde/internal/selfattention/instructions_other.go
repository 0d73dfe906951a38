//go:build !amd64

package selfattention

// sets are all instruction sets, by their level.
var sets = []instructions{generic}
