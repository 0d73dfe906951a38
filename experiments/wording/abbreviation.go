package wording

import (
	"strings"
	"unicode/utf8"
)

// MessageColumns is the greatest length of a message to the user in characters: two lines of a wide terminal.
const MessageColumns = 200

// wordColumns is the length to which a long word, such as a value or a path, is shortened if a text is too
// long.
const wordColumns = 48

// Abbreviated returns a text of at most most characters, where most is at least 2. If the text is longer,
// first the middles of words with more than 48 characters are left out, and then the middle of the text. The
// sign … stands for the part that is left out.
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

// withoutMiddle returns a text of at most most characters. Of a longer text only both ends are left, with the
// sign … between them.
func withoutMiddle(text string, most int) string {
	if len(text) <= most || utf8.RuneCountInString(text) <= most {
		return text
	}
	runes := []rune(text)
	tail := (most - 1) / 2
	return string(runes[:most-1-tail]) + "…" + string(runes[len(runes)-tail:])
}
