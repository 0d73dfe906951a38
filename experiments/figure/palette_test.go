package figure

import (
	"image"
	"image/color"
	"testing"
)

// gradient is a picture of three colours with so many rows of 64 other ones each.
func gradient(rows int) *image.RGBA {
	picture := image.NewRGBA(image.Rect(0, 0, 64, 128))
	for y := range 128 {
		for x := range 64 {
			c := []color.RGBA{{0, 0, 0, 255}, {255, 255, 255, 255}, {213, 94, 0, 255}}[x%3]
			if y < rows {
				c = color.RGBA{uint8(4 * x), uint8(40 * y), 100, 255}
			}
			picture.Set(x, y, c)
		}
	}
	return picture
}

// The frequent colours are kept exactly; of a few others there is the nearest; a
// picture of many stays as it is.
func TestWithPalette(t *testing.T) {
	for rows, palette := range map[int]bool{0: true, 3: true, 6: true, 20: false} {
		picture := gradient(rows)
		out := withPalette(picture)
		if _, ok := out.(*image.Paletted); ok != palette {
			t.Errorf("%d rows: a palette: %t", rows, ok)
		}
		for y := range 128 {
			for x := range 64 {
				got, want := opaque(out.At(x, y)), picture.RGBAAt(x, y)
				if got != want && (y >= rows || rows == 3 || !palette) {
					t.Fatalf("%d rows, (%d, %d): colour %v, want %v", rows, x, y, got, want)
				}
			}
		}
	}
}
