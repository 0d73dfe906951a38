package figure

import (
	"bytes"
	"fmt"
	"image/png"
	"io"
	"path/filepath"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Extensions are the extensions of the files that a figure can be written to.
var Extensions = []string{".png", ".svg", ".pdf"}

// Write writes the figure in the format that the extension of a file name stands for. In a browser, PDF is an
// error.
func (f *Figure) Write(w io.Writer, name string) error {
	switch ending := strings.ToLower(filepath.Ext(name)); ending {
	case ".png":
		return f.WritePNG(w)
	case ".svg":
		return f.WriteSVG(w)
	case ".pdf":
		return f.WritePDF(w)
	default:
		return fmt.Errorf("figure: no format has the ending %q", ending)
	}
}

// WritePNG writes the figure as PNG with two pixels per point, for screens of high resolution.
func (f *Figure) WritePNG(w io.Writer) error {
	const dotsPerInch = 144
	canvas := vgimg.NewWith(vgimg.UseWH(f.size()), vgimg.UseDPI(dotsPerInch))
	f.Paint(draw.New(canvas))
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	return encoder.Encode(w, withPalette(canvas.Image()))
}

// WriteSVG writes the figure as SVG. Letters are outlines, so that no font is needed.
func (f *Figure) WriteSVG(w io.Writer) error { return f.writeOutlined(w, vgsvg.New(f.size())) }

// WriteSVGAreas writes the figure as SVG for a browser and returns the areas of its plots. Letters are text,
// which a browser displays faster than outlines; the font has the same widths of letters as the outlines.
func (f *Figure) WriteSVGAreas(w io.Writer) ([]Area, error) {
	canvas := vgsvg.New(f.size())
	areas := &areas{Canvas: canvas, width: f.Width, height: f.Height}
	f.Paint(draw.NewCanvas(areas, vg.Length(f.Width), vg.Length(f.Height)))
	var text bytes.Buffer
	if _, err := canvas.WriteTo(&text); err != nil {
		return nil, err
	}
	const family = "font-family:Liberation Sans"
	families := []byte(family + ",Arial,Helvetica,sans-serif")
	_, err := w.Write(bytes.ReplaceAll(text.Bytes(), []byte(family), families))
	return areas.all, err
}

// size returns the width and the height of the figure in the units of package plot.
func (f *Figure) size() (width, height vg.Length) { return vg.Length(f.Width), vg.Length(f.Height) }

func (f *Figure) writeOutlined(w io.Writer, canvas vg.CanvasWriterTo) error {
	f.Paint(draw.NewCanvas(outlined{canvas}, vg.Length(f.Width), vg.Length(f.Height)))
	_, err := canvas.WriteTo(w)
	return err
}
