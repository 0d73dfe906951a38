package experiments

import (
	"cmp"
	"image"
	"image/color"
	"slices"
)

// withPalette is the picture in the 256 colours that it has most of, each other one
// replaced by the nearest: a third of the size in a file, and no difference to see,
// as only the soft edges of lines have so many colours.
func withPalette(picture image.Image) *image.Paletted {
	bounds := picture.Bounds()
	counts := map[color.RGBA]int{}
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			counts[coarse(picture.At(x, y))]++
		}
	}
	colors := make([]color.RGBA, 0, len(counts))
	for c := range counts {
		colors = append(colors, c)
	}
	slices.SortFunc(colors, func(a, b color.RGBA) int {
		return cmp.Or(counts[b]-counts[a], cmp.Compare(a.R, b.R), cmp.Compare(a.G, b.G), cmp.Compare(a.B, b.B))
	})
	var palette color.Palette
	for _, c := range colors[:min(len(colors), 256)] {
		palette = append(palette, c)
	}
	nearest := map[color.RGBA]uint8{}
	for _, c := range colors {
		nearest[c] = uint8(palette.Index(c))
	}
	out := image.NewPaletted(bounds, palette)
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			out.SetColorIndex(x, y, nearest[coarse(picture.At(x, y))])
		}
	}
	return out
}

// coarse rounds a colour to 52 steps a channel, black and white exactly.
func coarse(c color.Color) color.RGBA {
	r, g, b, _ := c.RGBA()
	round := func(v uint32) uint8 { return uint8((v>>8 + 2) / 5 * 5) }
	return color.RGBA{round(r), round(g), round(b), 255}
}
