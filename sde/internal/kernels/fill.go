package kernels

// Normals fills dst with independent normal numbers of standard deviation scale, the
// same number of rows for every Vector of lanes: the rows of Vector v are
// dst[v·rows : (v+1)·rows]. Row k of a lane is entry 2·block + k of Stream.Normals at
// the lane's address.
func (l *Lanes) Normals(dst []Vector, scale float64, block uint32) {
	active.normals(dst, l.rows(dst), l.addresses, &l.keys, block, scale)
}

// rows is the number of rows of dst for each Vector of lanes.
func (l *Lanes) rows(dst []Vector) int {
	if len(dst)%len(l.addresses) != 0 {
		panic("kernels: not the same number of rows for every Vector of lanes")
	}
	return len(dst) / len(l.addresses)
}

func normalsGeneric(dst []Vector, rows int, addresses []words, keys *keys, block uint32, scale float64) {
	fillPairs(dst, rows, addresses, keys, block, func(low, high uint64) (float64, float64) {
		return boxMuller(low, high, scale)
	})
}

// fillPairs fills rows with the pairs of numbers that draw makes of random blocks.
func fillPairs(dst []Vector, rows int, addresses []words, keys *keys, block uint32, draw func(low, high uint64) (float64, float64)) {
	l := Lanes{stream: Stream{[2]uint32{uint32(keys[0][0]), uint32(keys[1][0])}}, addresses: addresses}
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
