// Package clustering has the experiments on tokens that cluster, one a file: parameters with
// defaults and a paper-scale preset, the run, the table that it yields, what the table says
// in words, and its figure. The figures are those of
// Fedorov et al., "Clustering in Deep Stochastic Transformers".
package clustering
