package parameter

import (
	"cmp"
	"slices"
	"strings"

	"github.com/xrash/smetrics"
)

// How similar a name must be to be suggested, by Jaro and Winkler from 0 to 1: Typed for names that
// somebody knows and has mistyped, Guessed for those of which somebody knows only a part.
const (
	Typed   = 0.7
	Guessed = 0.6
)

// DidYouMean is a question to follow an unknown name, with up to three of the known ones, the most
// similar first; "" if none is similar, Typed or Guessed.
func DidYouMean(given string, names []string, least float64) string {
	near := nearest(given, names, least)
	if len(near) == 0 {
		return ""
	}
	return " (did you mean " + Choice{Names: near}.Allowed() + "?)"
}

// nearest are those names that are similar, and not much less so than the most similar one.
// Neither capitals nor the dashes of a flag count.
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
