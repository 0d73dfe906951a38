package kernels

// PlaneNumbers are the random numbers of a layer of two tokens, in lanes: of two columns of a Gaussian
// matrix, in the plane of the tokens and across it.
type PlaneNumbers struct {
	freedom    int // of the χ² pair, d-3
	chiSquared *chiSquaredLaw
	draws      []Vector // of the chain: four normal numbers and the pair
	more       []Vector // four more normal numbers
}

// planeBlock is the first block of the numbers that an overlap chain has not: beyond those of its χ²
// pair.
const planeBlock = 16

// NewPlaneNumbers returns memory for the numbers of some Vectors of lanes, for tokens of dimension
// dim ≥ 2.
func NewPlaneNumbers(vectors, dim int) *PlaneNumbers {
	n := &PlaneNumbers{
		freedom: max(0, dim-3),
		draws:   make([]Vector, chainRows*vectors), more: make([]Vector, 4*vectors),
	}
	if n.freedom > mostSummed {
		n.chiSquared = newChiSquaredLaw(n.freedom)
	}
	return n
}

// Draw draws the numbers at the addresses of lanes, or of the first Vectors if lanes has fewer.
func (n *PlaneNumbers) Draw(lanes *Lanes) {
	v := len(lanes.addresses)
	draws := n.draws[:chainRows*v]
	if n.freedom <= mostSummed {
		active().chainSums(draws, lanes.addresses, &lanes.keys, n.freedom)
	} else {
		rejected := lanes.cleared()
		active().chainDraws(draws, rejected, lanes.addresses, &lanes.keys, n.chiSquared)
		lanes.retry(draws, rejected, n.chiSquared)
	}
	lanes.Normals(n.more[:4*v], 1, planeBlock)
}

// Of returns the numbers of a lane: eight normal ones, and two independent χ² of dim-3 degrees of
// freedom, 0 for none.
func (n *PlaneNumbers) Of(lane int) (normals [8]float64, squares [2]float64) {
	v, k := lane/8, lane%8
	for i := range 4 {
		normals[i], normals[4+i] = n.draws[chainRows*v+i][k], n.more[4*v+i][k]
	}
	return normals, [2]float64{n.draws[chainRows*v+firstSquare][k], n.draws[chainRows*v+firstSquare+1][k]}
}
