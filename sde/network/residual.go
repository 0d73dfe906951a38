package network

import (
	"antipode/internal/products"
	"antipode/sde/internal/rowwise"
)

// residual is a layer with a branch parallel to a skip connection, which maps a token x to skip·x +
// strength·branch(x).
type residual struct {
	branch         layer
	skip, strength weight // strengths of the skip connection and of the branch, which are single numbers
	fixed          bool   // whether derivatives with respect to skip and strength are omitted
	input, output  matrix // tokens before and after the branch
	out            matrix
	work           *work
}

// Forward implements layer.
func (r *residual) Forward(x matrix) matrix {
	r.input, r.output = x, r.branch.Forward(x)
	rowwise.Mix(r.out.Data, r.skip.Data[0], x.Data, r.strength.Data[0], r.output.Data)
	return r.out
}

// Backward implements layer.
func (r *residual) Backward(derivative matrix) {
	skip, strength := r.skip.Data[0], r.strength.Data[0]
	if !r.fixed {
		r.skip.gradient.Data[0] += rowwise.Dot(derivative.Data, r.input.Data)
		r.strength.gradient.Data[0] += rowwise.Dot(derivative.Data, r.output.Data)
	}
	branch, whole := r.work.branch.Data, derivative.Data
	products.ScaleTo(branch, whole, strength)
	r.branch.Backward(r.work.branch)
	rowwise.Mix(whole, skip, whole, 1, branch)
}
