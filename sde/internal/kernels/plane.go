package kernels

// PlaneNumbers are the random numbers of a layer of two tokens, in lanes. PlaneNumbers give two columns of a
// Gaussian matrix, by their components in the plane of the two tokens and orthogonal to this plane.
type PlaneNumbers struct {
	freedom    int // degrees of freedom, d-3, of the pair of χ² numbers
	chiSquared *chiSquaredLaw
	draws      []Vector // four normal numbers and the pair of χ² numbers, as in a Chain
	more       []Vector // four further normal numbers
}

// planeBlock is the first random block of the four further normal numbers. planeBlock comes after the blocks
// of the pair of χ² numbers.
const planeBlock = 16

// NewPlaneNumbers returns memory for the random numbers of 8·vectors lanes, for two tokens of dimension dim ≥
// 2.
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

// Draw samples the random numbers at the addresses of lanes. If lanes has fewer Vectors than n, only the
// first Vectors of n change.
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

// Of returns the random numbers of a lane: eight normal numbers, and two independent χ² numbers with dim-3
// degrees of freedom, which are 0 if dim ≤ 3.
func (n *PlaneNumbers) Of(lane int) (normals [8]float64, squares [2]float64) {
	v, k := lane/8, lane%8
	for i := range 4 {
		normals[i], normals[4+i] = n.draws[chainRows*v+i][k], n.more[4*v+i][k]
	}
	return normals, [2]float64{n.draws[chainRows*v+firstSquare][k], n.draws[chainRows*v+firstSquare+1][k]}
}
