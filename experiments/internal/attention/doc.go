// Package attention holds what experiments on random attention matrices share: their parameters, networks of
// several kinds and sizes whose samples are computed in parallel, and statistics as functions of the number
// of tokens with fitted powers.
package attention
