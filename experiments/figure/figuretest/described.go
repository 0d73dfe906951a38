package figuretest

import (
	"fmt"
	"image/color"
	"strings"

	"antipode/experiments/figure"
)

// Described describes a figure as text, so that a test can compare the figure with a file. The text has one
// line for the caption and for each panel, axis, legend entry and mark. If a panel has more marks than the
// argument marks, only some of its marks are described. If a list has more numbers than the argument values,
// only some of its numbers are listed.
func Described(f *figure.Figure, marks, values int) string {
	var text strings.Builder
	fmt.Fprintf(&text, "figure of %g × %g: %s\n", f.Width, f.Height, f.Caption)
	writeKey(&text, f.Key)
	for _, panel := range f.Panels {
		p := panel.Plot
		fmt.Fprintf(&text, "panel %s; bare %t, small %t, to scale %t\n", p.Title, p.Bare, p.Small,
			panel.ToScale)
		for _, a := range []figure.Axis{p.X, p.Y} {
			fmt.Fprintf(&text, "\taxis %s from %.9g to %.9g, logarithmic %t, ticks %v\n", a.Label, a.Low,
				a.High, a.Logarithmic, a.Ticks)
		}
		if panel.Bar != nil {
			fmt.Fprintf(&text, "\tbar %s %s to %s, ticks %v\n", panel.Bar.Title,
				colorText(panel.Bar.Color(0)), colorText(panel.Bar.Color(1)), panel.Bar.Ticks)
		}
		writeKey(&text, panel.Key)
		stride := 1 + len(p.Marks)/marks
		fmt.Fprintf(&text, "\t%d marks\n", len(p.Marks))
		for k := 0; k < len(p.Marks); k += stride {
			fmt.Fprintf(&text, "\t%s\n", markText(p.Marks[k], values))
		}
	}
	return text.String()
}

func writeKey(text *strings.Builder, key *figure.Key) {
	if key == nil {
		return
	}
	for _, e := range key.Entries {
		fmt.Fprintf(text, "\tkey %s:", e.Name)
		for _, s := range e.Samples {
			switch s := s.(type) {
			case figure.Stroke:
				fmt.Fprintf(text, " line %s", strokeText(s))
			case figure.Glyph:
				fmt.Fprintf(text, " dots %s", glyphText(s))
			case figure.Swatch:
				fmt.Fprintf(text, " area %s", colorText(s.Color))
			}
		}
		text.WriteString("\n")
	}
}

func markText(m figure.Mark, most int) string {
	switch m := m.(type) {
	case figure.Line:
		return fmt.Sprintf("line %s, rim %t, %d shades: %s", strokeText(m.Stroke), m.Rim, len(m.Shades),
			listText(m.Points, most))
	case figure.Dots:
		return fmt.Sprintf("dots %s: %s, from %s to %s with %g", glyphText(m.Glyph),
			listText(m.Points, most), listText(m.Low, most), listText(m.High, most), m.Bar)
	case figure.Band:
		return fmt.Sprintf("band %s: %s, from %s to %s", colorText(m.Color), listText(m.X, most),
			listText(m.Low, most), listText(m.High, most))
	case figure.Tile:
		return fmt.Sprintf("tile %s: %.9g to %.9g", colorText(m.Color), m.Low, m.High)
	case figure.HeatMap:
		var values []float64
		for row := range m.Rows {
			for column := range m.Columns {
				values = append(values, m.Value(row, column))
			}
		}
		return fmt.Sprintf("map of %d × %d from %.9g to %.9g, roots %t: %s", m.Rows, m.Columns, m.Low,
			m.High, m.Roots, listText(values, most))
	case figure.Histogram:
		return fmt.Sprintf("histogram %s %.9g wide: %s", colorText(m.Color), m.Width,
			listText(m.Heights, most))
	case figure.Arrow:
		return fmt.Sprintf("arrow %s: %.9g to %.9g", colorText(m.Color), m.From, m.To)
	case figure.Note:
		return fmt.Sprintf("note at %.9g: %s", m.At, m.Text)
	}
	return fmt.Sprintf("%T", m)
}

// listText returns the text of a list: the number of its values and, if there are more than most, about most
// of the values, including the first and the last.
func listText[T float64 | figure.Point](values []T, most int) string {
	stride := (len(values) + most - 1) / most
	text := fmt.Sprint(len(values))
	for k, v := range values {
		if k%stride == 0 || k == len(values)-1 {
			text += fmt.Sprintf(" %.9g", v)
		}
	}
	return text
}

func strokeText(s figure.Stroke) string {
	return fmt.Sprintf("%s %g %v", colorText(s.Color), s.Width, s.Dashes)
}

func glyphText(g figure.Glyph) string {
	return fmt.Sprintf("%s %d %g", colorText(g.Color), g.Shape, g.Radius)
}

func colorText(c color.Color) string {
	if c == nil {
		return "none"
	}
	r, g, b, a := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x%02x", r>>8, g>>8, b>>8, a>>8)
}
