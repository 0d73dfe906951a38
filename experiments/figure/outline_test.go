package figure

import (
	"bytes"
	"image"
	"image/color"
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// paintLetters draws letters that occur in figures, upright and rotated. Each is drawn by itself, as a font
// rasteriser rounds the distance from one letter to the next.
func paintLetters(c draw.Canvas) {
	style := draw.TextStyle{Color: color.Black, Font: font.From(plot.DefaultFont, 20),
		Handler: plot.DefaultTextHandler}
	for k, letter := range []rune("AVεβ²=^,‖∂X_₁→∞⁴%g") {
		at := vg.Point{X: 20 + 28*vg.Length(k), Y: 100}
		c.FillText(style, at, string(letter))
		turned := style
		turned.Rotation = 0.5
		c.FillText(turned, at.Sub(vg.Point{Y: 60}), string(letter))
	}
}

// Letters drawn as outlines look like those that the font rasteriser draws, at the same positions.
func TestOutlinedLettersAreTheFonts(t *testing.T) {
	const width, height = 560, 140
	paint := func(wrap func(c vg.Canvas) vg.Canvas) image.Image {
		canvas := vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(144))
		paintLetters(draw.NewCanvas(wrap(canvas), width, height))
		return canvas.Image()
	}
	want := paint(func(c vg.Canvas) vg.Canvas { return c })
	got := paint(func(c vg.Canvas) vg.Canvas { return outlined{c} })
	ink, off := 0, 0
	for y := range got.Bounds().Dy() {
		for x := range got.Bounds().Dx() {
			a, b := opaque(got.At(x, y)).R, opaque(want.At(x, y)).R
			ink += int(255 - b)
			off += max(int(a), int(b)) - min(int(a), int(b))
		}
	}
	if ink < 255*2000 || off > ink/10 {
		t.Errorf("the pictures differ by %d of %d", off, ink)
	}
}

// Files have letters as outlines and name no font, and the same figure gives the same PDF file.
func TestFilesNeedNoFont(t *testing.T) {
	f := &Figure{Width: 560, Height: 140, arrange: paintLetters}
	var svg, pdf, again bytes.Buffer
	for _, err := range []error{f.WriteSVG(&svg), f.WritePDF(&pdf), f.WritePDF(&again)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, word := range []string{"<text", "font-family", "ε"} {
		if strings.Contains(svg.String(), word) {
			t.Errorf("the SVG has %q", word)
		}
	}
	if n := strings.Count(svg.String(), "<path"); n != 37 { // one for each string, and the background
		t.Errorf("the SVG has %d paths", n)
	}
	if !bytes.HasPrefix(pdf.Bytes(), []byte("%PDF-")) || bytes.Contains(pdf.Bytes(), []byte("/BaseFont")) {
		t.Error("the PDF is none, or has a font")
	}
	if !bytes.Equal(pdf.Bytes(), again.Bytes()) {
		t.Error("the same figure is another PDF")
	}
}

func TestWriteByEnding(t *testing.T) {
	f := &Figure{Width: 60, Height: 40, Caption: "β", arrange: func(draw.Canvas) {}}
	for name, head := range map[string]string{"a.png": "\x89PNG", "b.SVG": "<?xml", "c.x.pdf": "%PDF-"} {
		var b bytes.Buffer
		if err := f.Write(&b, name); err != nil || !strings.HasPrefix(b.String(), head) {
			t.Errorf("%s: error %v, begins %.5q", name, err, b.String())
		}
	}
	if err := f.Write(&bytes.Buffer{}, "d.jpg"); err == nil {
		t.Error("a format without a writer")
	}
}

// Outlined letters have the font's kerning: the distance of A and V is less than the width of A.
func TestOutlinedLettersAreKerned(t *testing.T) {
	face := font.DefaultCache.Lookup(plot.DefaultFont, 20)
	left := func(text string) (least vg.Length) { // the left end of the last contour, which is V
		var recorded fills
		outlined{&recorded}.FillString(face, vg.Point{}, text)
		for _, c := range recorded.path {
			switch c.Type {
			case vg.MoveComp:
				least = c.Pos.X
			case vg.LineComp:
				least = min(least, c.Pos.X)
			}
		}
		return least
	}
	got, want := left("AV")-left("V"), face.Width("AV")-face.Width("V")
	if difference := got - want; difference < -0.05 || difference > 0.05 {
		t.Errorf("V begins %v after A, want %v", got, want)
	}
	if want > face.Width("A")-1 {
		t.Errorf("the font has no kerning: %v", want)
	}
}

// fills records the path that was filled last.
type fills struct {
	vg.Canvas
	path vg.Path
}

// Fill implements vg.Canvas.
func (f *fills) Fill(p vg.Path) { f.path = p }
