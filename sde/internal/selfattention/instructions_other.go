//go:build !amd64

package selfattention

// sets holds the inner loops of attention and tokens in each instruction set, by its level.
var sets = []instructions{generic}
