package figure

import (
	"fmt"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// outlined is a canvas that fills the outlines of letters and names no font. The machine that displays a file
// may not have the font, and a PDF would contain only the letters of Western European languages.
type outlined struct{ vg.Canvas }

// FillString implements vg.Canvas. A letter that the font lacks is drawn as an empty box.
func (c outlined) FillString(face font.Face, at vg.Point, text string) {
	var buffer sfnt.Buffer
	units := fixed.Int26_6(face.Face.UnitsPerEm())
	scale := face.Font.Size / vg.Length(units)
	var before sfnt.GlyphIndex
	var outline vg.Path
	for k, letter := range []rune(text) {
		glyph, err := face.Face.GlyphIndex(&buffer, letter)
		if err != nil {
			panic(fmt.Errorf("figure: letter %q: %w", letter, err))
		}
		if k > 0 {
			// An error of Kern means that the font has no kerning.
			if kern, err := face.Face.Kern(&buffer, before, glyph, units, 0); err == nil {
				at.X += scale * vg.Length(kern)
			}
		}
		segments, err := face.Face.LoadGlyph(&buffer, glyph, units, nil)
		if err != nil {
			panic(fmt.Errorf("figure: letter %q: %w", letter, err))
		}
		outline = appendGlyph(outline, segments, at, scale)
		advance, err := face.Face.GlyphAdvance(&buffer, glyph, units, 0)
		if err != nil {
			panic(fmt.Errorf("figure: letter %q: %w", letter, err))
		}
		at.X += scale * vg.Length(advance)
		before = glyph
	}
	if len(outline) > 0 {
		c.Fill(outline)
	}
}

// appendGlyph appends the closed contours of a letter, whose vertical axis points down, to a path.
func appendGlyph(path vg.Path, segments sfnt.Segments, at vg.Point, scale vg.Length) vg.Path {
	point := func(p fixed.Point26_6) vg.Point {
		return vg.Point{X: at.X + scale*vg.Length(p.X), Y: at.Y - scale*vg.Length(p.Y)}
	}
	for k, s := range segments {
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			if k > 0 {
				path.Close()
			}
			path.Move(point(s.Args[0]))
		case sfnt.SegmentOpLineTo:
			path.Line(point(s.Args[0]))
		case sfnt.SegmentOpQuadTo:
			path.QuadTo(point(s.Args[0]), point(s.Args[1]))
		case sfnt.SegmentOpCubeTo:
			path.CubeTo(point(s.Args[0]), point(s.Args[1]), point(s.Args[2]))
		}
	}
	if len(segments) > 0 {
		path.Close()
	}
	return path
}
