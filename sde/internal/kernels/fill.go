package kernels

import "math"

// Normals fills dst with independent normal numbers of standard deviation scale. Every Vector of l has the
// same number of rows in dst: the rows of Vector v are dst[v·rows : (v+1)·rows]. In each lane, row k is
// number 2·block + k of Stream.Normals at the address of the lane.
func (l *Lanes) Normals(dst []Vector, scale float64, block uint32) {
	l.fill(active().normals, normalLaw, dst, block+l.skipped/2, scale)
}

// Uniforms fills dst, in the order of Normals, with the numbers of Stream.Uniforms, uniform on [-bound,
// bound].
func (l *Lanes) Uniforms(dst []Vector, bound float64, block uint32) {
	l.fill(active().uniforms, uniformLaw, dst, block+l.skipped/2, bound)
}

// TruncatedNormals fills dst, in the order of Normals, with the numbers of Stream.TruncatedNormals: normal
// numbers conditioned to [-2, 2] and multiplied by scale.
func (l *Lanes) TruncatedNormals(dst []Vector, scale float64, block uint32) {
	l.fill(active().truncatedNormals, truncatedNormalLaw, dst, block+l.skipped/2, scale)
}

// Signs fills dst with the numbers ±size of Stream.Signs. In each lane, row k is number 128·block + k at the
// address of the lane.
func (l *Lanes) Signs(dst []Vector, size float64, block uint32) {
	l.fill(active().signs, signLaw, dst, block+l.skipped/128, size)
}

// The constants normalLaw and so on number the laws of random numbers.
const (
	normalLaw = iota
	uniformLaw
	truncatedNormalLaw
	signLaw
)

// fill fills dst with random numbers of a law. The argument rows is the kernel that writes many rows of
// random numbers with this law.
func (l *Lanes) fill(rows fill, law int, dst []Vector, block uint32, parameter float64) {
	n := l.rows(dst)
	if n == 1 {
		active().singles(dst, l.addresses, &l.keys, block, law, parameter)
		return
	}
	rows(dst, n, l.addresses, &l.keys, block, parameter)
}

// rows returns the number of rows of dst for each Vector of lanes.
func (l *Lanes) rows(dst []Vector) int {
	if len(dst)%len(l.addresses) != 0 {
		panic("kernels: not the same number of rows for every Vector of lanes")
	}
	return len(dst) / len(l.addresses)
}

func singlesGeneric(dst []Vector, addresses []words, keys *keys, block uint32, law int, parameter float64) {
	[...]fill{normalsGeneric, uniformsGeneric, truncatedNormalsGeneric, signsGeneric}[law](
		dst, 1, addresses, keys, block, parameter)
}

func normalsGeneric(dst []Vector, rows int, addresses []words, keys *keys, block uint32, scale float64) {
	fillPairs(dst, rows, addresses, keys, block, func(low, high uint64) (float64, float64) {
		return boxMuller(low, high, scale)
	})
}

func uniformsGeneric(dst []Vector, rows int, addresses []words, keys *keys, block uint32, bound float64) {
	fillPairs(dst, rows, addresses, keys, block, func(low, high uint64) (float64, float64) {
		return symmetric(low, bound), symmetric(high, bound)
	})
}

func truncatedNormalsGeneric(dst []Vector, rows int, addresses []words, keys *keys, block uint32,
	scale float64) {
	fillPairs(dst, rows, addresses, keys, block, func(low, high uint64) (float64, float64) {
		return float64(truncatedNormal(low) * scale), float64(truncatedNormal(high) * scale)
	})
}

// fillPairs fills rows with the two numbers that draw makes from each random block.
func fillPairs(dst []Vector, rows int, addresses []words, keys *keys, block uint32,
	draw func(low, high uint64) (float64, float64)) {
	l := lanesOf(addresses, keys)
	for v := range addresses {
		part := dst[v*rows : (v+1)*rows]
		for k := range 8 {
			a := l.at(8*v + k)
			for row := 0; row < rows; row += 2 {
				first, second := draw(a.block(block+uint32(row/2), 0))
				part[row][k] = first
				if row+1 < rows {
					part[row+1][k] = second
				}
			}
		}
	}
}

func signsGeneric(dst []Vector, rows int, addresses []words, keys *keys, block uint32, size float64) {
	l := lanesOf(addresses, keys)
	for v := range addresses {
		part := dst[v*rows : (v+1)*rows]
		for k := range 8 {
			a := l.at(8*v + k)
			var low, high uint64
			for row := range part {
				if row%128 == 0 {
					low, high = a.block(block+uint32(row/128), 0)
				}
				part[row][k] = math.Float64frombits(math.Float64bits(size) ^ signBit(low, high, row%128))
			}
		}
	}
}

// lanesOf returns a Lanes with the given addresses and with the stream to which the keys belong.
func lanesOf(addresses []words, keys *keys) Lanes {
	return Lanes{stream: Stream{[2]uint32{uint32(keys[0][0]), uint32(keys[1][0])}}, addresses: addresses}
}
