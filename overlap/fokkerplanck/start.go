package fokkerplanck

import (
	"math"

	"antipode/overlap/internal/line"
	"antipode/overlap/internal/quadrature"
	"antipode/sphere/memo"
)

// A uniformStart is the law of the overlap of two independent tokens that are uniform on the sphere. The
// masses of this law in the cells of a grid do not depend on the diffusion, so an experiment over a range of
// β and ε computes the masses once for each dimension and cell width.
type uniformStart struct {
	line.Start
	cells *memo.Memo[float64, []sharedMass] // shared masses, indexed by the width of cells
}

// sharedMass is the mass of the starting law between two neighbouring nodes of a grid, divided between the
// two nodes.
type sharedMass struct{ left, right float64 }

// mostKept limits the number of dimensions whose starting laws are remembered, and for each dimension the
// number of cell widths.
const mostKept = 16

// uniformStarts holds the most recently used laws of the overlap of uniform tokens, by dimension.
var uniformStarts = memo.Of(mostKept, newUniformStart)

// newUniformStart returns the law of the overlap of uniform tokens of dimension dim ≥ 2.
func newUniformStart(dim int) *uniformStart {
	s := &uniformStart{Start: line.Uniform(dim)}
	s.cells = memo.Of(mostKept, s.newSharedMasses)
	return s
}

// project returns the masses of the starting law at the nodes of a grid, up to a factor. The mass between two
// neighbouring nodes is divided between the two nodes such that the mean position x of the mass is preserved.
func (s *uniformStart) project(g grid) []float64 {
	cells := s.cells.At(g.width)
	mass := make([]float64, g.nodes)
	first := g.middle - len(cells)/2
	for k, cell := range cells {
		if i := first + k; i >= 0 && i < g.nodes-1 {
			mass[i] += cell.left
			mass[i+1] += cell.right
		}
	}
	return mass
}

// newSharedMasses returns the masses of the starting law in all cells of the given width, with as many cells
// above z = 0 as below.
func (s *uniformStart) newSharedMasses(width float64) []sharedMass {
	half := int(math.Ceil(inverseSinhMap(s.Edge) / width))
	cells := make([]sharedMass, 2*half)
	for k := range cells {
		for j, y := range quadrature.Gauss.Node {
			share := float64(0.5 * (1 + y))
			x := float64((float64(k-half) + share) * width)
			density := s.Density(line.Of(sinhMap(x)))
			mass := float64(quadrature.Gauss.Weight[j] * sinhMapSlope(x) * density)
			moved := float64(share * mass)
			cells[k].left += mass - moved
			cells[k].right += moved
		}
	}
	return cells
}
