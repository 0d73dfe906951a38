package figure

// drawn are the marks as they are drawn: of tiles that follow each other those of one colour that touch are
// one rectangle, as seams show between small ones.
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

// edge is one side of a tile.
type edge struct{ at, low, high float64 }

// rightOf are the sides of a tile that meet those of its neighbours in a row.
func rightOf(t Tile) (first, last edge) {
	return edge{t.Low.X, t.Low.Y, t.High.Y}, edge{t.High.X, t.Low.Y, t.High.Y}
}

// above are the sides of a tile that meet those of its neighbours in a column.
func above(t Tile) (first, last edge) {
	return edge{t.Low.Y, t.Low.X, t.High.X}, edge{t.High.Y, t.Low.X, t.High.X}
}

// joined are tiles without the sides that those of one colour have in common, in the order of their first
// ones.
func joined(tiles []Tile, sides func(Tile) (first, last edge)) (all []Tile) {
	open := map[edge]int{} // by the last side, the tile that ends there
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
