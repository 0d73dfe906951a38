package figure

// drawn returns the marks of a plot in the form in which they are drawn. Consecutive tiles of the same colour
// that touch are joined to one rectangle, because seams between small tiles would be visible.
func drawn(marks []Mark) (all []Mark) {
	var tiles []Tile
	flush := func() {
		for _, t := range joined(joined(tiles, rightOf), above) {
			all = append(all, t)
		}
		tiles = nil
	}
	for _, m := range marks {
		if t, is := m.(Tile); is {
			tiles = append(tiles, t)
			continue
		}
		flush()
		all = append(all, m)
	}
	flush()
	return all
}

// edge is a side of a tile: its position, and the range that it covers.
type edge struct{ at, low, high float64 }

// rightOf returns the left and the right side of a tile, at which it touches neighbours in a row.
func rightOf(t Tile) (first, last edge) {
	return edge{t.Low.X, t.Low.Y, t.High.Y}, edge{t.High.X, t.Low.Y, t.High.Y}
}

// above returns the lower and the upper side of a tile, at which it touches neighbours in a column.
func above(t Tile) (first, last edge) {
	return edge{t.Low.Y, t.Low.X, t.High.X}, edge{t.High.Y, t.Low.X, t.High.X}
}

// joined joins tiles of equal colour that share a side. A joined rectangle has the place of its first tile in
// the order of tiles.
func joined(tiles []Tile, sides func(Tile) (first, last edge)) (all []Tile) {
	open := map[edge]int{} // maps a side to the index of the tile that ends there
	for _, t := range tiles {
		first, last := sides(t)
		k, touches := open[first]
		if touches && all[k].Color == t.Color {
			all[k].High = t.High
			delete(open, first)
		} else {
			k = len(all)
			all = append(all, t)
		}
		open[last] = k
	}
	return all
}
