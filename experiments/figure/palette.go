package figure

import (
	"cmp"
	"image"
	"image/color"
	"slices"
)

// withPalette returns the image with 256 of its colours, so that the file has a third of the size. Every
// other colour is replaced by the nearest of the 256 colours. The 256 colours are the most frequent colours
// among those that are some distance apart. So a line, or a cell of a map, nearly keeps its colour even if
// the colour is rare. An image with too many colours is returned unchanged.
func withPalette(picture image.Image) image.Image {
	bounds := picture.Bounds()
	counts := map[color.RGBA]int{}
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			counts[opaque(picture.At(x, y))]++
		}
	}
	colors := make([]color.RGBA, 0, len(counts))
	for c := range counts {
		colors = append(colors, c)
	}
	slices.SortFunc(colors, func(a, b color.RGBA) int {
		return cmp.Or(counts[b]-counts[a], cmp.Compare(a.R, b.R), cmp.Compare(a.G, b.G),
			cmp.Compare(a.B, b.B))
	})
	for _, apart := range []int{3, 6, 10} { // each less than a twentieth of a colour scale
		palette := mostFrequent(colors, apart)
		if nearest, ok := nearestColors(palette, apart, colors, counts, bounds.Dx()*bounds.Dy()); ok {
			out := image.NewPaletted(bounds, palette)
			for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
				for x := bounds.Min.X; x < bounds.Max.X; x++ {
					out.SetColorIndex(x, y, nearest[opaque(picture.At(x, y))])
				}
			}
			return out
		}
	}
	return picture
}

// mostFrequent returns the first 256 colours that are at least the given distance apart.
func mostFrequent(colors []color.RGBA, apart int) (palette color.Palette) {
	for _, c := range colors {
		tooNear := func(other color.Color) bool { return distance(c, other.(color.RGBA)) < apart }
		if !slices.ContainsFunc(palette, tooNear) {
			palette = append(palette, c)
		}
		if len(palette) == 256 {
			break
		}
	}
	return palette
}

// nearestColors returns, for each colour of an image, the index of the nearest colour in a palette. The
// result ok is false if more points of the image would change their colour than smooth edges have, or if some
// points would change visibly.
func nearestColors(
	palette color.Palette, apart int, colors []color.RGBA, counts map[color.RGBA]int, points int,
) (nearest map[color.RGBA]uint8, ok bool) {
	const seen = 12
	changed, far := 0, 0
	nearest = map[color.RGBA]uint8{}
	for _, c := range colors {
		index := palette.Index(c)
		nearest[c] = uint8(index)
		switch d := distance(c, palette[index].(color.RGBA)); {
		case d > seen:
			far += counts[c]
			fallthrough
		case d >= apart:
			changed += counts[c]
		}
	}
	return nearest, changed <= points/256 && far <= points/4096
}

// distance returns the largest of the three differences of two colours in red, green and blue.
func distance(a, b color.RGBA) int {
	difference := func(x, y uint8) int { return max(int(x), int(y)) - min(int(x), int(y)) }
	return max(difference(a.R, b.R), difference(a.G, b.G), difference(a.B, b.B))
}

func opaque(c color.Color) color.RGBA {
	r, g, b, _ := c.RGBA()
	return color.RGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 255}
}
