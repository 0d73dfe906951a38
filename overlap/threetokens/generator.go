package threetokens

// Weights of the values of a function of y at a node and at two nodes on either side. The weighted sum with
// slopes is the derivative times the width of the cells of y; the weighted sum with curvatures is the second
// derivative times the square of the width.
var (
	slopes     = [5]float64{1.0 / 12, -8.0 / 12, 0, 8.0 / 12, -1.0 / 12}
	curvatures = [5]float64{-1.0 / 12, 16.0 / 12, -30.0 / 12, 16.0 / 12, -1.0 / 12}
)

// An assembly builds the transposed generator of the diffusion of three tokens, which acts on masses of
// states.
type assembly struct {
	*grid
	into *banded
}

// add adds a rate from a state of row j to the node (q_i, x_k) of row j + offset. Beyond the last row all
// tokens have merged. Values before the first row are interpolated from the mirror image of the rows.
func (a assembly) add(j, state, offset, i, k int, rate float64) {
	other := j + offset
	if other >= a.rows || rate == 0 {
		return
	}
	if other >= 0 {
		a.put(j, state, other, a.state(i, k), rate)
		return
	}
	other = -1 - other
	if i == 0 {
		a.put(j, state, other, 0, rate)
		return
	}
	for l, w := range a.mirror[a.node(other, i, k)] {
		if w != 0 {
			a.put(j, state, other, a.state(l, k), float64(rate*w))
		}
	}
}

func (a assembly) put(j, state, other, column int, rate float64) {
	a.into.block[other][j-other+2][column*a.size()+state] += rate
}

// generator returns the transposed generator of the diffusion of three tokens. In q and x the generator is in
// divergence form, so that no probability passes through q = 0 and x = 0. All other terms of the generator
// use derivatives of interpolants.
func (g *grid) generator() *banded {
	a := assembly{g, newBanded(g.rows, g.size())}
	for j := range g.rows {
		a.merged(j)
		for i := 1; i < g.closeness; i++ {
			for k := range g.x {
				a.divergenceQ(j, i, k)
				a.divergenceX(j, i, k)
				a.rest(j, i, k)
			}
		}
	}
	return a.into
}

// merged adds the rates of the state of row j in which the first two tokens have merged.
func (a assembly) merged(j int) {
	m := a.line[j]
	for o := range slopes {
		rate := m.drift[1]*slopes[o]/a.width + 0.5*m.covariance[1][1]*curvatures[o]/(a.width*a.width)
		a.add(j, 0, o-2, 0, 0, rate)
	}
}

// gradient adds factor times the operator Σ c_l ∂_l at the node (q_i, x_k) of row j, for the variables q, y
// and x.
func (a assembly) gradient(j, state, i, k int, factor float64, c [3]float64) {
	for l, d := range a.dq[i] {
		a.add(j, state, 0, l, k, factor*c[0]*d)
	}
	for o, s := range slopes {
		a.add(j, state, o-2, i, k, factor*c[1]*s/a.width)
	}
	for l, d := range a.dx[k] {
		a.add(j, state, 0, i, l, factor*c[2]*d)
	}
}

// divergenceQ adds the operator ½ ∂_q Σ a_ql ∂_l of the generator in weak form, without a boundary term at q
// = 0.
func (a assembly) divergenceQ(j, i, k int) {
	for m := range a.q {
		factor := -0.5 * a.weightQ[m] / a.weightQ[i] * a.dq[m][i]
		a.gradient(j, a.state(i, k), m, k, factor, a.motion[a.node(j, m, k)].covariance[0])
	}
}

// divergenceX adds the operator ½ 1/W ∂_x W Σ a_xl ∂_l of the generator in weak form, where W is the density
// (1-x²)^(-1/2) of the Gauss nodes of x.
func (a assembly) divergenceX(j, i, k int) {
	for m := range a.x {
		factor := -0.5 * a.weightX[m] / a.weightX[k] * a.dx[m][k]
		a.gradient(j, a.state(i, k), i, m, factor, a.motion[a.node(j, i, m)].covariance[2])
	}
}

// rest adds the part of the generator that divergenceQ and divergenceX do not add.
func (a assembly) rest(j, i, k int) {
	state := a.state(i, k)
	m := a.motion[a.node(j, i, k)]
	c, drift := m.covariance, m.drift
	for n := range drift {
		for l, d := range a.dq[i] {
			drift[n] -= float64(0.5 * d * a.motion[a.node(j, l, k)].covariance[0][n])
		}
		for l, d := range a.dx[k] {
			drift[n] -= float64(0.5 * d * a.motion[a.node(j, i, l)].covariance[2][n])
		}
		if x := a.x[k]; x < 1 {
			drift[n] -= float64(0.5 * x / ((1 - x) * (1 + x)) * c[2][n])
		}
	}
	a.gradient(j, state, i, k, 1, drift)
	for o, s := range slopes {
		for l, d := range a.dq[i] {
			a.add(j, state, o-2, l, k, 0.5*c[0][1]*d*s/a.width)
		}
		for l, d := range a.dx[k] {
			a.add(j, state, o-2, i, l, 0.5*c[1][2]*d*s/a.width)
		}
		a.add(j, state, o-2, i, k, 0.5*c[1][1]*curvatures[o]/(a.width*a.width))
	}
}
