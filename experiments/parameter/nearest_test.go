package parameter

import "testing"

func TestDidYouMean(t *testing.T) {
	names := []string{
		"phase", "simulate", "gradients", "width-gradients", "thm1-weak", "thm1-laws", "thm1-both",
		"thm1-more", "--trajectories",
	}
	for given, want := range map[string]string{
		"phse":         " (did you mean phase?)",
		"PHASE":        " (did you mean phase?)",
		"gradient":     " (did you mean gradients?)", // width-gradients is much less similar
		"thm1":         " (did you mean thm1-weak, thm1-laws or thm1-both?)",
		"--trajectory": " (did you mean --trajectories?)",
		"-trajectorys": " (did you mean --trajectories?)",
		"":             "",
		"42":           "",
		"βββ":          "",
	} {
		if got := DidYouMean("hest", []string{"phase"}, Typed); got != "" { // their similarity is 0.63
			t.Errorf("little alike: %q", got)
		}
		if got := DidYouMean("hest", []string{"phase"}, Guessed); got != " (did you mean phase?)" {
			t.Errorf("alike: %q", got)
		}
		if got := DidYouMean(given, names, Typed); got != want {
			t.Errorf("%q: %q, want %q", given, got, want)
		}
	}
	if got := DidYouMean("hest", []string{"phase"}, Typed); got != "" { // their similarity is 0.63
		t.Errorf("little alike: %q", got)
	}
	if got := DidYouMean("hest", []string{"phase"}, Guessed); got != " (did you mean phase?)" {
		t.Errorf("alike: %q", got)
	}
	if got := DidYouMean("phase", nil, Guessed); got != "" {
		t.Errorf("of no names: %q", got)
	}
}

// Up to three names are suggested: those more similar than the least similarity, and within 0.1 of the most
// similar one. Capital letters and dashes at the beginning do not count. The similarity of Jaro and Winkler
// is 0.9611 for martha and marhta, and 0.84 for dwayne and duane.
func TestSuggestedNames(t *testing.T) {
	for _, c := range []struct {
		given string
		names []string
		least float64
		want  string
	}{
		{"martha", []string{"dixon", "marhta"}, 0.9611, " (did you mean marhta?)"},
		{"martha", []string{"dixon", "marhta"}, 0.9612, ""},
		{"--MARTHA", []string{"-marhta"}, 0.9611, " (did you mean -marhta?)"},
		{"martha", []string{"marhta", "martha", "dixon"}, 0.5, " (did you mean martha or marhta?)"},
		{"dwayne", []string{"duane", "dwayne"}, 0.5, " (did you mean dwayne?)"},
		{"dwayne", []string{"duane"}, 0.839, " (did you mean duane?)"},
		{"dwayne", []string{"duane"}, 0.841, ""},
		{"depth", []string{"depth1", "depth2", "depth3", "depth4"}, 0.7,
			" (did you mean depth1, depth2 or depth3?)"},
		{"dim", []string{"dim"}, 1, ""}, {"dim", []string{"dim"}, 0.999, " (did you mean dim?)"},
		{"dim", nil, 0, ""},
	} {
		if got := DidYouMean(c.given, c.names, c.least); got != c.want {
			t.Errorf("%s among %v, at least %v: %q, want %q", c.given, c.names, c.least, got, c.want)
		}
	}
}
