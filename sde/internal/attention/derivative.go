package attention

import (
	"antipode/sde/internal/linear"
	"antipode/sphere"
)

// Derivative computes derivatives of the attention field A_i with respect to the tokens. With the weights
// w_ij of the tokens in A_i = Σ_j w_ij x_j and scores s_ij = β x_iᵀ B x_j, a change h of the tokens changes
//
//	A_i by Σ_j w_ij h_j + Σ_j w_ij δs_ij m_ij,  m_ij = x_j - c A_i,
//	s_ij by δs_ij = β (h_iᵀ B x_j + x_iᵀ B h_j),
//
// where c is 1 for softmax, whose weights sum to 1, and 0 for unnormalised attention. So the derivative J_ij
// = ∂A_i/∂x_j is, with keys k_j = B x_j and queries q_i = Bᵀ x_i,
//
//	J_ij h = w_ij h + β w_ij <q_i, h> m_ij + [i=j] β Σ_k w_ik <k_k, h> m_ik.
//
// Sums over the tokens run in the order of the tokens, over whole terms, so that coincident tokens get the
// same derivatives bit for bit, and two opposite tokens get opposite derivatives.
type Derivative struct {
	*Attention
	// Tangents are tangent vectors at the tokens, N×d. Prepare sets them to P_j A_j, the attention projected
	// to the tangent space at token j.
	Tangents []float64

	independent bool             // whether sums over j have only the term j = i
	queries     []float64        // Bᵀ x_i, N×d, unless B is the identity
	weight      []float64        // weights w_ij of one token i
	part        []float64        // term of one token j in a sum, d
	products    *largeDerivative // for many tokens or dimensions; allocated when it is first needed
}

// NewDerivative returns the derivative of an attention of all N tokens. With the argument independent, each
// token has its own noise.
func NewDerivative(a *Attention, independent bool) *Derivative {
	f := &Derivative{
		Attention: a, independent: independent,
		Tangents: make([]float64, a.n*a.d),
		weight:   make([]float64, a.n), part: make([]float64, a.d),
	}
	if a.interaction != nil {
		f.queries = make([]float64, a.n*a.d)
	}
	return f
}

// Prepare sets the tokens x at which derivatives are computed, and their attention field. The attention field
// must be the last field that the Attention has computed.
func (f *Derivative) Prepare(x, field []float64) {
	d := f.d
	for i := range f.n {
		sphere.Project(f.Tangents[i*d:(i+1)*d], x[i*d:(i+1)*d], field[i*d:(i+1)*d])
		if f.queries != nil {
			linear.MultiplyTransposed(f.queries[i*d:(i+1)*d], f.interaction, x[i*d:(i+1)*d])
		}
	}
	f.TakeWeights()
}

// takeWeight fills the slice weight with the attention weights w_ij of token i, from the weights that the
// attention has computed last.
func (f *Derivative) takeWeight(i int) {
	row := f.scores[i*f.n : (i+1)*f.n]
	total := float64(f.n)
	if f.softmax {
		total = 0
		for _, e := range row {
			total += e
		}
	}
	for j, e := range row {
		f.weight[j] = e / total
	}
}

// keyAndQuery returns the key k_j and the query q_j of token j.
func (f *Derivative) keyAndQuery(x []float64, j int) (key, query []float64) {
	from, to := j*f.d, (j+1)*f.d
	if f.interaction == nil {
		return x[from:to], x[from:to]
	}
	return f.keys[from:to], f.queries[from:to]
}

// mean returns c·<A_i, v>, which is the mean of <x_j, v> under the weights of token i for softmax, and 0 for
// unnormalised attention.
func (f *Derivative) mean(field, v []float64) float64 {
	if f.softmax {
		return sphere.Dot(field, v)
	}
	return 0
}

// NoiseContraction writes Σ_j P_j J_ijᵀ A_j to dst, or P_i J_iiᵀ A_i if the noise is independent. The written
// vector is the sum, over all d² directions E, of the derivative of A_i along the matrix noise P_j[E A_j],
// contracted with E. The component of the written vector along x_i is arbitrary. The cost of NoiseContraction
// for all N tokens i of dimension d is O(N² d). With many tokens or dimensions, the vectors for all i are
// computed when that for i = 0 is requested.
func (f *Derivative) NoiseContraction(dst, x, field []float64, i int) {
	if f.large != nil {
		if i == 0 {
			f.contract(x, field)
		}
		copy(dst, row(f.products.contractions, i))
		return
	}
	d := f.d
	f.takeWeight(i)
	clear(dst)
	own := field[i*d : (i+1)*d]
	_, query := f.keyAndQuery(x, i)
	for j, w := range f.weight {
		token, other := x[j*d:(j+1)*d], field[j*d:(j+1)*d]
		key, _ := f.keyAndQuery(x, j)
		ofKey := float64(float64(f.beta*w) * (sphere.Dot(token, own) - f.mean(own, own)))
		linear.Scale(f.part, ofKey, key)
		if !f.independent || i == j {
			linear.AddScaled(f.part, w, f.Tangents[j*d:(j+1)*d])
			ofQuery := float64(float64(f.beta*w) * (sphere.Dot(token, other) - f.mean(own, other)))
			linear.AddScaled(f.part, ofQuery, query)
			linear.AddScaled(f.part, -float64(ofQuery*sphere.Dot(token, query)), token)
		}
		linear.AddScaled(dst, 1, f.part)
	}
}

// AlongTangents writes the derivative of A_i to dst as the tokens move along the Tangents t. The derivative
// along tangents t is Σ_j J_ij t_j. If the noise is independent, the derivative is J_ii t_i, as only token i
// moves. The cost of AlongTangents for all N tokens i of dimension d is O(N² d). With many tokens or
// dimensions, the derivatives for all i are computed when that for i = 0 is requested.
func (f *Derivative) AlongTangents(dst, x, field []float64, i int) {
	if f.large != nil {
		if i == 0 {
			f.advanceAlong(x, field)
		}
		copy(dst, row(f.products.along, i))
		return
	}
	d := f.d
	f.takeWeight(i)
	clear(dst)
	direction := f.Tangents[i*d : (i+1)*d]
	_, query := f.keyAndQuery(x, i)
	for j, w := range f.weight {
		other := f.Tangents[j*d : (j+1)*d]
		key, _ := f.keyAndQuery(x, j)
		score := sphere.Dot(direction, key)
		clear(f.part)
		if !f.independent || i == j {
			score += sphere.Dot(query, other)
			linear.AddScaled(f.part, w, other)
		}
		score = float64(float64(f.beta*w) * score)
		linear.AddScaled(f.part, score, x[j*d:(j+1)*d])
		if f.softmax {
			linear.AddScaled(f.part, -score, field[i*d:(i+1)*d])
		}
		linear.AddScaled(dst, 1, f.part)
	}
}

// AlongTraces writes Σ_j tr(J_ij P_j) A_j to dst, or tr(J_ii P_i) A_i if the noise is independent. The factor
// tr(J_ij P_j) is the divergence of A_i as token j moves on its sphere. The cost of AlongTraces for all N
// tokens i of dimension d is O(N² d). With many tokens or dimensions, the sums for all i are computed when
// that for i = 0 is requested.
func (f *Derivative) AlongTraces(dst, x, field []float64, i int) {
	if f.large != nil {
		if i == 0 {
			f.divergences(x, field)
		}
		copy(dst, row(f.products.traces, i))
		return
	}
	d := f.d
	f.takeWeight(i)
	clear(dst)
	own := field[i*d : (i+1)*d]
	_, query := f.keyAndQuery(x, i)
	// contracted returns <v, P_k m_ij> for m_ij = x_j - c A_i.
	contracted := func(v []float64, k, j int) float64 {
		token, other := x[k*d:(k+1)*d], x[j*d:(j+1)*d]
		along := sphere.Dot(token, other) - f.mean(own, token)
		return sphere.Dot(v, other) - f.mean(own, v) - float64(along*sphere.Dot(v, token))
	}
	for j, w := range f.weight {
		key, _ := f.keyAndQuery(x, j)
		linear.AddScaled(dst, float64(float64(f.beta*w)*contracted(key, i, j)), own)
		if !f.independent || i == j {
			trace := float64(w*float64(d-1)) + float64(float64(f.beta*w)*contracted(query, j, j))
			linear.AddScaled(dst, trace, field[j*d:(j+1)*d])
		}
	}
}
