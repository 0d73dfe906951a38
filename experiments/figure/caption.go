package figure

import (
	"fmt"
	"image/color"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// drawCaption fills the canvas with white, writes the caption in small letters at the bottom, and returns the
// rest of the canvas.
func drawCaption(c draw.Canvas, text string) draw.Canvas {
	c.FillPolygon(color.White, []vg.Point{{X: c.Min.X, Y: c.Min.Y}, {X: c.Max.X, Y: c.Min.Y}, c.Max,
		{X: c.Min.X, Y: c.Max.Y}})
	style := draw.TextStyle{
		Color: color.Gray{90}, Font: font.From(plot.DefaultFont, 9), Handler: plot.DefaultTextHandler,
	}
	const margin, lineHeight = 8, 12
	lines := wrap(text, style, c.Size().X-2*margin)
	for k, line := range lines {
		c.FillText(style, vg.Point{X: c.Min.X + margin,
			Y: c.Min.Y + 6 + lineHeight*vg.Length(len(lines)-1-k)},
			line)
	}
	return draw.Crop(c, 0, 0, lineHeight*vg.Length(len(lines))+margin, 0)
}

// wrap breaks a text at spaces into lines of at most the given width.
func wrap(text string, style draw.TextStyle, width vg.Length) (lines []string) {
	for word := range strings.SplitSeq(text, " ") {
		last := len(lines) - 1
		if last >= 0 && style.Width(lines[last]+" "+word) <= width {
			lines[last] += " " + word
			continue
		}
		lines = append(lines, word)
	}
	return lines
}

// NotDrawn returns the last part of a caption: it lists the values of a parameter that are in the table but
// not in the figure, or gives their number if there are many. The text is "" if all values are in the figure.
func NotDrawn(name string, all, drawn []float64) string {
	var missing []string
	for _, v := range all {
		if !slices.Contains(drawn, v) {
			missing = append(missing, strconv.FormatFloat(v, 'g', 6, 64))
		}
	}
	const most = 12
	switch {
	case len(missing) == 0:
		return ""
	case len(missing) > most:
		return fmt.Sprintf("; not drawn: %d of %d values of %s", len(missing), len(all), name)
	}
	return fmt.Sprintf("; not drawn: %s = %s", name, strings.Join(missing, ", "))
}
