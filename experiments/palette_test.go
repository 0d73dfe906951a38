package experiments

import (
	"image"
	"image/color"
	"testing"
)

// A picture of few colours keeps them up to rounding, black and white exactly; one of
// many has the nearest.
func TestWithPalette(t *testing.T) {
	for _, many := range []bool{false, true} {
		picture := image.NewRGBA(image.Rect(0, 0, 64, 64))
		for y := range 64 {
			for x := range 64 {
				c := color.RGBA{uint8(4 * x), uint8(4 * y), 100, 255}
				if !many || y < 32 {
					c = []color.RGBA{{0, 0, 0, 255}, {255, 255, 255, 255}, {213, 94, 0, 255}}[x%3]
				}
				picture.Set(x, y, c)
			}
		}
		out := withPalette(picture)
		if many != (len(out.Palette) == 256) {
			t.Errorf("%d colours", len(out.Palette))
		}
		for y := range 64 {
			for x := range 64 {
				r, g, b, _ := out.At(x, y).RGBA()
				want := picture.RGBAAt(x, y)
				off := max(distance(r, want.R), distance(g, want.G), distance(b, want.B))
				if want.R == want.G && want.G == want.B && off > 0 || !many && off > 2 || off > 40 {
					t.Fatalf("(%d, %d): colour %v, want %v", x, y, out.At(x, y), want)
				}
			}
		}
	}
}

func distance(a uint32, b uint8) int {
	d := int(a>>8) - int(b)
	return max(d, -d)
}
