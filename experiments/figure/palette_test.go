package figure

import (
	"image"
	"image/color"
	"testing"
)

// gradient returns a picture of three colours in which the given number of rows have 64 other colours each.
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

// Frequent colours are kept exactly, and a few rare ones are replaced by the nearest in the palette. A
// picture with many colours remains as it is.
func TestWithPalette(t *testing.T) {
	for rows, palette := range map[int]bool{0: true, 3: true, 4: true, 6: true, 20: false} {
		picture := gradient(rows)
		out := withPalette(picture)
		if _, ok := out.(*image.Paletted); ok != palette {
			t.Errorf("%d rows: a palette: %t", rows, ok)
		}
		for y := range 128 {
			for x := range 64 {
				got, want := opaque(out.At(x, y)), picture.RGBAAt(x, y)
				if got != want && (y >= rows || rows == 3 || !palette || distance(got, want) >= 6) {
					t.Fatalf("%d rows, (%d, %d): colour %v, want %v", rows, x, y, got, want)
				}
			}
		}
	}
}

// A green line in which each colour occurs once, in a picture of 256 frequent greys, stays green.
func TestWithPaletteRareLine(t *testing.T) {
	picture := image.NewRGBA(image.Rect(0, 0, 256, 128))
	for y := range 128 {
		for x := range 256 {
			picture.Set(x, y, color.RGBA{uint8(x), uint8(x), uint8(x), 255})
		}
	}
	for x := range 100 {
		picture.Set(x, 64, color.RGBA{uint8(x), 200, 100, 255})
	}
	out := withPalette(picture)
	if _, ok := out.(*image.Paletted); !ok {
		t.Error("no palette")
	}
	for x := range 100 {
		if got, want := opaque(out.At(x, 64)), picture.RGBAAt(x, 64); distance(got, want) >= 3 {
			t.Fatalf("point %d of the line: colour %v, want about %v", x, got, want)
		}
	}
}

// The picture has more greys, as in soft edges, than a palette has room for, and a map of sixty colours, all
// of them rare but the first. The tiles of the map keep their colours approximately.
func TestWithPaletteRareCells(t *testing.T) {
	picture := image.NewRGBA(image.Rect(0, 0, 512, 512))
	for y := range 512 {
		for x := range 512 {
			c := heatColor(0).(color.RGBA)
			switch {
			case y >= 8 && y < 48:
				c = color.RGBA{uint8(x / 2), uint8(x / 2), uint8(x / 2), 255}
			case y >= 60 && y < 62 && x < 4*61:
				c = heatColor(float64(x/4) / 60).(color.RGBA)
			}
			picture.SetRGBA(x, y, c)
		}
	}
	out := withPalette(picture)
	if _, ok := out.(*image.Paletted); !ok {
		t.Error("no palette")
	}
	for x := range 4 * 61 {
		if got, want := opaque(out.At(x, 60)), picture.RGBAAt(x, 60); distance(got, want) >= 3 {
			t.Fatalf("colour %d: %v, want about %v", x/4, got, want)
		}
	}
}
