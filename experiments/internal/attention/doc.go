// Package attention has what experiments on random attention matrices share: their parameters,
// networks of several kinds and sizes whose samples are run in parallel, and quantities against
// the number of tokens with the power that fits them.
package attention
