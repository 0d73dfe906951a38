package network

import "math"

// residual is a branch beside a skip connection: skip·x + strength·branch(x).
type residual struct {
	branch         layer
	skip, strength weight // single numbers
	input, output  matrix // tokens before the branch and after it
	out            matrix
	work           *work
}

// Forward implements layer.
func (r *residual) Forward(x matrix) matrix {
	r.input, r.output = x, r.branch.Forward(x)
	skip, strength := r.skip.Data[0], r.strength.Data[0]
	out := r.out.Data
	in, output := x.Data[:len(out)], r.output.Data[:len(out)]
	for k := range out {
		out[k] = math.FMA(skip, in[k], float64(strength*output[k]))
	}
	return r.out
}

// Backward implements layer.
func (r *residual) Backward(derivative matrix) {
	skip, strength := r.skip.Data[0], r.strength.Data[0]
	r.skip.gradient.Data[0] += dot(derivative.Data, r.input.Data)
	r.strength.gradient.Data[0] += dot(derivative.Data, r.output.Data)
	branch, whole := r.work.branch.Data, derivative.Data
	branch = branch[:len(whole)]
	for k, v := range whole {
		branch[k] = strength * v
	}
	r.branch.Backward(r.work.branch)
	for k, v := range branch {
		whole[k] = math.FMA(skip, whole[k], v)
	}
}
