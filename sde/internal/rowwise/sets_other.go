//go:build !amd64

package rowwise

// sets holds the operations on rows in each instruction set, by its level.
var sets = []instructions{generic}
