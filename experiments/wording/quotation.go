package wording

import (
	"strconv"
	"strings"
)

// Quoted returns a text for a message. The text is quoted if it is empty, or if it has characters that do not
// occur in plain words. Of a long text only the first 200 characters are returned.
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
