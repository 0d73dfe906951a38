package figure

import (
	"cmp"
	"image"
	"image/color"
	"slices"
)

// withPalette is the picture in the 256 colours that it has most of, each other one
// replaced by the nearest: a third of the size in a file. Areas and lines keep their
// colours, as it is the soft edges of lines that have so many. A picture that has
// more than a sixteenth of its points in other colours stays as it is.
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
		return cmp.Or(counts[b]-counts[a], cmp.Compare(a.R, b.R), cmp.Compare(a.G, b.G), cmp.Compare(a.B, b.B))
	})
	var palette color.Palette
	kept := 0
	for _, c := range colors[:min(len(colors), 256)] {
		palette, kept = append(palette, c), kept+counts[c]
	}
	if points := bounds.Dx() * bounds.Dy(); points-kept > points/16 {
		return picture
	}
	nearest := map[color.RGBA]uint8{}
	for _, c := range colors {
		nearest[c] = uint8(palette.Index(c))
	}
	out := image.NewPaletted(bounds, palette)
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			out.SetColorIndex(x, y, nearest[opaque(picture.At(x, y))])
		}
	}
	return out
}

func opaque(c color.Color) color.RGBA {
	r, g, b, _ := c.RGBA()
	return color.RGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 255}
}
