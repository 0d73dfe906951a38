package parameter

import (
	"cmp"
	"slices"
	"strings"

	"github.com/xrash/smetrics"
)

// The least similarity of names that are suggested for an unknown name, on the scale of Jaro and Winkler from
// 0 to 1. Typed applies to a name that may be a mistyped known name. Guessed applies to a name of which the
// user knows only a part.
const (
	Typed   = 0.7
	Guessed = 0.6
)

// DidYouMean returns a question that follows an unknown name and suggests up to three known names, the most
// similar name first. The question is "" if no known name is similar enough. The argument least is the
// smallest similarity, Typed or Guessed.
func DidYouMean(given string, names []string, least float64) string {
	near := nearest(given, names, least)
	if len(near) == 0 {
		return ""
	}
	return " (did you mean " + Choice{Names: near}.Allowed() + "?)"
}

// nearest returns up to three names that are similar to the given name, and not much less similar than the
// most similar name. Capitals and the dashes before a flag are ignored.
func nearest(given string, names []string, least float64) []string {
	const most, asGood = 3, 0.1
	plain := func(name string) string { return strings.ToLower(strings.TrimLeft(name, "-")) }
	similarity := func(name string) float64 { return smetrics.JaroWinkler(plain(given), plain(name), 0.7, 4) }
	ranked := slices.Clone(names)
	slices.SortStableFunc(ranked, func(a, b string) int { return cmp.Compare(similarity(b), similarity(a)) })
	ranked = ranked[:min(most, len(ranked))]
	for k, name := range ranked {
		if similarity(name) <= max(least, similarity(ranked[0])-asGood) {
			return ranked[:k]
		}
	}
	return ranked
}
