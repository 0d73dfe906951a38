package terminal

import (
	"fmt"
	"os"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"
)

// bar shows the progress of a run in the last line of a terminal.
type bar struct{ screen *os.File }

// draw shows a report of progress in the line of the bar.
func (b bar) draw(r report) { b.write(r.line(columnsOf(b.screen))) }

// clear empties the line of the bar, before other text is written.
func (b bar) clear() {
	b.write(strings.Repeat(" ", columnsOf(b.screen)-1) + "\r")
}

// write replaces the line of the bar by a text. Errors are ignored: a bar that cannot be drawn must not stop
// the run.
func (b bar) write(text string) { fmt.Fprint(b.screen, "\r"+text) }

// columnsOf returns the width of a terminal in columns.
func columnsOf(screen *os.File) int {
	const usual = 80
	columns, _, err := term.GetSize(int(screen.Fd()))
	if err != nil || columns < 2 { // the width is 0 if the terminal does not know its width
		return usual
	}
	return columns
}

// line returns the report of progress as a line for a terminal with the given number of columns. The last
// column stays empty, because some terminals begin a new line after it. The line has the percentage of the
// work done and a bar of at least a quarter of the width. Other parts of the report are added if there is
// room, beginning with the time left.
func (r report) line(columns int) string {
	room := columns - 1
	head := fmt.Sprintf("%s %2d %% ", r.Command, r.percent())
	least := max(room/4, 1)
	fits := func(tail []string) bool { return wide(head)+2+least+wide(tailText(tail)) <= room }
	parts := []string{r.left(), r.cells(), r.speed(), r.Outcome}
	tail := make([]string, len(parts))
	for _, k := range []int{0, 1, 3, 2} {
		if tail[k] = parts[k]; !fits(tail) {
			tail[k] = ""
		}
	}
	length := room - wide(head) - 2 - wide(tailText(tail))
	if length < 1 {
		return pad(head, room)
	}
	done := min(int(r.Done*float64(length)), length)
	return head + "|" + strings.Repeat("█", done) + strings.Repeat(" ", length-done) + "|" + tailText(tail)
}

// tailText returns the text that follows the bar in the line of a terminal.
func tailText(parts []string) string {
	text := enumerate(parts)
	if text == "" {
		return ""
	}
	return " " + text
}

func wide(text string) int { return utf8.RuneCountInString(text) }

// pad returns the text with the given width: a longer text is cut, and blanks are added to a shorter text.
func pad(text string, width int) string {
	runes := []rune(text)
	if len(runes) > width {
		return string(runes[:width])
	}
	return text + strings.Repeat(" ", width-len(runes))
}
