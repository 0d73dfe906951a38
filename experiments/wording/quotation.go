package wording

import (
	"strconv"
	"strings"
)

// Quoted is a text as it stands in a message: with quotes around one that is empty, or has other characters
// than those of plain words, and no more than the first 200 characters of a long one.
func Quoted(text string) string {
	const longest = 200
	if runes := []rune(text); len(runes) > longest {
		text = string(runes[:longest]) + "…"
	}
	if text == "" || strings.ContainsFunc(text,
		func(r rune) bool { return r <= ' ' || r > '~' || r == '"' }) {
		return strconv.Quote(text)
	}
	return text
}
