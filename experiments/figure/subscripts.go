package figure

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

func init() { plot.DefaultTextHandler = subscripts{plot.DefaultTextHandler} }

// subscripts is a text handler that typesets subscripts and exponents in smaller letters. A subscript follows
// a single letter and an underscore, as in W_Q, β_c and σ_w². An exponent follows a single letter, a
// circumflex and a minus sign, as in e^-β and e^-2β. Other underscores and circumflexes, such as those in
// file names, are drawn as they are.
type subscripts struct{ text.Handler }

const (
	subscriptSize  = 0.72 // size relative to other letters
	subscriptDrop  = 0.22 // in sizes of other letters
	exponentHeight = 0.36 // in sizes of other letters
	longest        = 3    // greatest number of letters in a subscript
)

// piece is a part of a line of text whose letters have one size.
type piece struct {
	text string
	sign byte // '_' or '^' before small letters; otherwise 0
}

// piecesOf divides a line of text into pieces, each with letters of one size.
func piecesOf(line string) (pieces []piece) {
	rest := line
	for from := 0; ; {
		at := strings.IndexAny(rest[from:], "_^")
		if at < 0 {
			break
		}
		at += from
		end := subscriptAt(rest, at)
		if rest[at] == '^' {
			end = exponentAt(rest, at)
		}
		if end == 0 {
			from = at + 1
			continue
		}
		pieces = append(pieces, piece{rest[:at], 0},
			piece{strings.Replace(rest[at+1:end], "-", "−", 1), rest[at]})
		rest, from = rest[end:], 0
	}
	return append(pieces, piece{rest, 0})
}

// subscriptAt returns the position in a line of text at which the subscript after an underscore ends, or 0 if
// no subscript follows the underscore.
func subscriptAt(line string, underscore int) (end int) {
	letter, size := utf8.DecodeLastRuneInString(line[:underscore])
	before, _ := utf8.DecodeLastRuneInString(line[:underscore-size])
	single := !unicode.IsLetter(before) || before == 'ᵀ'
	if !unicode.IsLetter(letter) || !single || before == '_' {
		return 0
	}
	end = underscore + 1
	for end < len(line) && (line[end] >= 'a' && line[end] <= 'z' || line[end] >= 'A' && line[end] <= 'Z') {
		end++
	}
	if count := end - underscore - 1; count == 0 || count > longest ||
		end < len(line) && strings.IndexByte("_.0123456789", line[end]) >= 0 {
		return 0
	}
	return end
}

// exponentAt returns the position in a line of text at which the negative exponent after a circumflex ends,
// or 0 if no exponent follows the circumflex.
func exponentAt(line string, circumflex int) (end int) {
	letter, size := utf8.DecodeLastRuneInString(line[:circumflex])
	before, _ := utf8.DecodeLastRuneInString(line[:circumflex-size])
	rest, negative := strings.CutPrefix(line[circumflex+1:], "-")
	if !negative || !unicode.IsLetter(letter) || unicode.IsLetter(before) {
		return 0
	}
	digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
	name, size := utf8.DecodeRuneInString(rest[digits:])
	if !unicode.IsLetter(name) {
		size = 0
	}
	if digits+size == 0 {
		return 0
	}
	return len(line) - len(rest) + digits + size
}

// face returns the font of a piece of a line, whose size depends on the piece.
func (s subscripts) face(p piece, of font.Font) font.Face {
	if p.sign != 0 {
		of.Size *= subscriptSize
	}
	return s.Cache().Lookup(of, of.Size)
}

func (s subscripts) width(line string, of font.Font) (width vg.Length) {
	for _, p := range piecesOf(line) {
		face := s.face(p, of)
		width += face.Width(p.text)
	}
	return width
}

// Box returns the size of a line of text. The width takes into account that subscripts and exponents are
// narrower than other letters.
func (s subscripts) Box(line string, of font.Font) (width, height, depth vg.Length) {
	_, height, depth = s.Handler.Box(line, of)
	return s.width(line, of), height, depth
}

// Draw draws a text with its subscripts and exponents.
func (s subscripts) Draw(c vg.Canvas, all string, style text.Style, at vg.Point) {
	if !strings.ContainsAny(all, "_^") {
		s.Handler.Draw(c, all, style, at)
		return
	}
	all = strings.TrimRight(all, "\n")
	c.SetColor(style.Color)
	if style.Rotation != 0 {
		c.Push()
		defer c.Pop()
		c.Rotate(style.Rotation)
	}
	sin, cos := math.Sincos(style.Rotation)
	at.X, at.Y = at.Y*vg.Length(sin)+at.X*vg.Length(cos), at.Y*vg.Length(cos)-at.X*vg.Length(sin)
	lines := s.Lines(all)
	at.Y += style.Height(all)*vg.Length(style.YAlign) - s.Extents(style.Font).Ascent
	for k, line := range lines {
		place := at.Add(vg.Point{X: vg.Length(style.XAlign) * s.width(line, style.Font),
			Y: vg.Length(len(lines)-k) * style.Font.Size})
		for _, p := range piecesOf(line) {
			face, at := s.face(p, style.Font), place
			switch p.sign {
			case '_':
				at.Y -= subscriptDrop * style.Font.Size
			case '^':
				at.Y += exponentHeight * style.Font.Size
			}
			c.FillString(face, at, p.text)
			place.X += face.Width(p.text)
		}
	}
}
