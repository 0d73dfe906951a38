package wording

import (
	"strings"
	"unicode/utf8"
)

// MessageColumns is how long a message to a person may be: two lines of a wide terminal.
const MessageColumns = 200

// wordColumns is how much is left of a word of a text that is too long, such as a value or a path.
const wordColumns = 48

// Abbreviated is a text in at most that number of characters, at least 2: of a longer one the middle of words
// above 48 characters is left out first, and then the middle of the text. The sign … stands for what is left
// out.
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

// withoutMiddle is a text, or its two ends, in at most that number of characters.
func withoutMiddle(text string, most int) string {
	if len(text) <= most || utf8.RuneCountInString(text) <= most {
		return text
	}
	runes := []rune(text)
	tail := (most - 1) / 2
	return string(runes[:most-1-tail]) + "…" + string(runes[len(runes)-tail:])
}
