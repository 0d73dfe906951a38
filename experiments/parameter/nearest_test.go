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
