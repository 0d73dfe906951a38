package response

// A layerShape holds the numbers on which the score of a layer of Transformer depends, where a score is the
// weight whose mean product with a function of the outcome is a derivative of the mean of this function. The
// comment of Transformer defines c₁, c₂, g, h, A, B, C and u'. Let y₁ = e₁+c₁g and y₂ = e₂+c₂h. The fields a,
// b and c of a layerShape are A, B and C. The score uses f = (up A - down C)/root with root² = AC-B², an
// increasing function of u', instead of u'. The fields first and second of a layerShape are c₁² and c₂².
type layerShape struct {
	a, b, c, up, down, root float64
	first, second           float64
	dim                     float64
	y                       [4]float64 // <y₁,e₁>, <y₁,e₂>, <y₂,e₁>, <y₂,e₂>
}

// A gradient holds the partial derivatives of a function of A, B and C with respect to these three numbers.
type gradient struct{ a, b, c float64 }

// scores returns the scores n·W - div W of a layer, see Transformer, for two parameters, log c₁ and log c₂.
// Let P₁ be the inner product of g and the gradient of f with respect to g, and let G₁ be the squared length
// of this gradient. Let P₂ and G₂ be defined like P₁ and G₁ with h in place of g, and let G = G₁+G₂. Let Q₁
// and Q₂ be defined like P₁ and P₂ with G in place of f. For the parameter log c_k, where k is 1 or 2, the
// derivative f' of f is P_k, and
//
//	n·W - div W = [f'(P₁+P₂-Δf) - G_k - ½Q_k]/G + f' ∇f·∇G/G².
func (s *layerShape) scores() (first, second float64) {
	f, byA, byB, byC := s.derivatives()
	p1, p2 := s.along(f)
	g1, g2 := s.products(f, f)
	laplacian := float64(s.first*(float64(2*s.dim*f.a)+float64(4*s.a*byA.a)+float64(4*s.b*byA.b)+
		float64(s.c*byB.b))) + float64(s.second*(float64(2*s.dim*f.c)+float64(4*s.c*byC.c)+
		float64(4*s.b*byB.c)+float64(s.a*byB.b)))
	g := gradient{s.lengthBy(f, byA, gradient{a: 1}), s.lengthBy(f, byB, gradient{b: 1}),
		s.lengthBy(f, byC, gradient{c: 1})}
	q1, q2 := s.along(g)
	length := g1 + g2
	h1, h2 := s.products(f, g)
	common := (p1 + p2 - laplacian + (h1+h2)/length) / length
	return float64(p1*common) - (g1+float64(0.5*q1))/length, float64(p2*common) - (g2+float64(0.5*q2))/length
}

// derivatives returns the gradient of the function f of scores, and the derivatives of this gradient with
// respect to A, B and C.
func (s *layerShape) derivatives() (f, byA, byB, byC gradient) {
	n := float64(s.up*s.a) - float64(s.down*s.c)
	root := s.root
	third := n / root / root / root
	fifth := third / root / root
	up, down := s.up/root/root/root, s.down/root/root/root
	f = gradient{s.up/root - float64(0.5*s.c*third), s.b * third, -s.down/root - float64(0.5*s.a*third)}
	aa := float64(0.75*s.c*s.c*fifth) - float64(up*s.c)
	cc := float64(0.75*s.a*s.a*fifth) + float64(down*s.a)
	ac := float64(0.75*s.a*s.c*fifth) - third
	ab := float64(up*s.b) - float64(1.5*s.b*s.c*fifth)
	bc := -float64(down*s.b) - float64(1.5*s.a*s.b*fifth)
	bb := third + float64(3*s.b*s.b*fifth)
	return f, gradient{aa, ab, ac}, gradient{ab, bb, bc}, gradient{ac, bc, cc}
}

// along returns two numbers for a function f of A, B and C: the inner product of g and the gradient of f with
// respect to g, and the inner product of h and the gradient of f with respect to h.
func (s *layerShape) along(f gradient) (first, second float64) {
	return float64(2*f.a*(s.a-s.y[0])) + float64(f.b*(s.b-s.y[2])),
		float64(2*f.c*(s.c-s.y[3])) + float64(f.b*(s.b-s.y[1]))
}

// products returns, for two functions of A, B and C, the inner product of their gradients with respect to the
// noise g, and the inner product of their gradients with respect to the noise h.
func (s *layerShape) products(f, g gradient) (first, second float64) {
	middle := float64(f.b * g.b)
	return float64(s.first * (float64(4*f.a*g.a*s.a) + float64(2*s.b*(float64(f.a*g.b)+float64(f.b*g.a))) +
			float64(middle*s.c))),
		float64(s.second * (float64(4*f.c*g.c*s.c) + float64(2*s.b*(float64(f.c*g.b)+float64(f.b*g.c))) +
			float64(middle*s.a)))
}

// lengthBy returns the derivative, with respect to the variable A, B or C whose entry in unit is 1, of the
// squared length G of the gradient of f with respect to the noise. The argument by is the derivative of the
// gradient f with respect to this variable.
func (s *layerShape) lengthBy(f, by, unit gradient) float64 {
	first, second := s.products(f, by)
	moved := layerShape{a: unit.a, b: unit.b, c: unit.c, first: s.first, second: s.second}
	own1, own2 := moved.products(f, f)
	return float64(2*(first+second)) + own1 + own2
}
