package wording

import (
	"strings"
	"unicode/utf8"
)

// MessageColumns is how long a message to a person may be: two lines of a wide terminal.
const MessageColumns = 200

// wordColumns is how much is left of a word of a text that is too long, such as a value or a path.
const wordColumns = 48

// Abbreviated is a text in at most so many characters, at least 2: where it has more, what is longest goes
// first, the middle of words above 48 characters, and then the middle of the text. The sign … stands for what
// is left out.
func Abbreviated(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	words := strings.Split(text, " ")
	for k, word := range words {
		words[k] = withoutMiddle(word, wordColumns)
	}
	return withoutMiddle(strings.Join(words, " "), most)
}

// withoutMiddle is a text in at most so many characters of its two ends.
func withoutMiddle(text string, most int) string {
	if len(text) <= most || utf8.RuneCountInString(text) <= most {
		return text
	}
	runes := []rune(text)
	tail := (most - 1) / 2
	return string(runes[:most-1-tail]) + "…" + string(runes[len(runes)-tail:])
}
