package network

import "math"

// residual is a branch beside a skip connection: skip·x + strength·branch(x).
type residual struct {
	branch         layer
	skip, strength weight // single numbers
	input, output  matrix // tokens before the branch and behind it
	out            matrix
	work           *work
}

// Forward implements layer.
func (r *residual) Forward(x matrix) matrix {
	r.input, r.output = x, r.branch.Forward(x)
	skip, strength := r.skip.Data[0], r.strength.Data[0]
	in, output := x.Data[:len(r.out.Data)], r.output.Data[:len(r.out.Data)]
	for k := range r.out.Data {
		r.out.Data[k] = math.FMA(skip, in[k], float64(strength*output[k]))
	}
	return r.out
}

// Backward implements layer.
func (r *residual) Backward(derivative matrix) {
	skip, strength := r.skip.Data[0], r.strength.Data[0]
	r.skip.gradient.Data[0] += dot(derivative.Data, r.input.Data)
	r.strength.gradient.Data[0] += dot(derivative.Data, r.output.Data)
	branch := r.work.branch
	for k, v := range derivative.Data {
		branch.Data[k] = strength * v
	}
	r.branch.Backward(branch)
	for k, v := range branch.Data {
		derivative.Data[k] = math.FMA(skip, derivative.Data[k], v)
	}
}
