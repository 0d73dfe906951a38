package verify

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// The names of claims are unique and can be listed in a flag. What a claim states, and what it catches, are
// unique lines of limited length.
func TestClaimsAreNamed(t *testing.T) {
	const widest = 90
	ids, statements := map[string]bool{}, map[string]bool{}
	for _, c := range Claims() {
		if c.ID == "" || c.ID == allClaims || strings.ContainsAny(c.ID, " ,\n") || ids[c.ID] {
			t.Errorf("id %q", c.ID)
		}
		if c.Set == "" || c.Source == "" || c.measure == nil {
			t.Errorf("%+v", c)
		}
		n := utf8.RuneCountInString(c.Statement)
		if n == 0 || n > widest || statements[c.Statement] || strings.Contains(c.Statement, "\n") {
			t.Errorf("%s: statement of %d letters: %q", c.ID, n, c.Statement)
		}
		n = utf8.RuneCountInString(c.Catches)
		if n == 0 || n > 110 || statements[c.Catches] || strings.Contains(c.Catches, "\n") {
			t.Errorf("%s: catches %q, of %d letters", c.ID, c.Catches, n)
		}
		ids[c.ID], statements[c.Statement], statements[c.Catches] = true, true, true
	}
}

// An error of a measurement ends the claim with an error that names it, at whichever look it comes; another
// panic goes on.
func TestMeasurementsThatFail(t *testing.T) {
	wrong := errors.New("wrong")
	for at := range looks {
		measured := 0
		c := Claim{ID: "some-claim", measure: func(f *fixture, r *report) {
			if measured++; measured > at {
				ensure(wrong)
			}
			r.normal("", 0, must(estimate{stderr: math.Inf(1)}, nil), 1, 0)
		}}
		result, err := c.check(&fixture{})
		if !errors.Is(err, wrong) || !strings.HasPrefix(err.Error(), "claim some-claim: ") ||
			measured != at+1 || result.What != "" {
			t.Errorf("look %d: %+v, %v after %d measurements", at, result, err, measured)
		}
	}
	defer func() {
		if recover() != "other" {
			t.Error("another panic does not go on")
		}
	}()
	Claim{measure: func(*fixture, *report) { panic("other") }}.look(&fixture{}, &report{})
}

// A claim that stays undecided takes every look; one on training takes a single one.
func TestLooksOfAnUndecidedClaim(t *testing.T) {
	for set, want := range map[string][]float64{Clustering: {0.125, 0.5, 2, 8}, Training: {0.125}} {
		var taken []float64
		c := Claim{Set: set, measure: func(f *fixture, r *report) {
			taken = append(taken, f.share)
			r.normal("", 0, estimate{stderr: math.Inf(1)}, 1, 0)
		}}
		if result, err := c.check(&fixture{}); err != nil || result.Verdict != undecided ||
			!slices.Equal(taken, want) {
			t.Errorf("%s: %v, %v, shares %v", set, result.Verdict, err, taken)
		}
	}
}

// Claims are chosen by their ids, which must exist and be different. Other texts change nothing.
func TestChosenClaims(t *testing.T) {
	for text, problem := range map[string]string{
		"all": "", "c4": "", "eq21,c4": "", "": `no claim is called ""`, "c4,c4": "c4 is there twice",
		"c4,eq-21": `no claim is called "eq-21" (did you mean eq21`, "eq21,,c4": `no claim is called ""`,
		"all,c4": `no claim is called "all"`,
	} {
		before := []string{"c4", "eq21"}
		field := before
		err := ids{&field}.Set(text)
		if (err == nil) != (problem == "") || err == nil && (ids{&field}).String() != text ||
			err != nil && (!strings.Contains(err.Error(), problem) || !slices.Equal(field, before)) {
			t.Errorf("%q: %v, %v", text, field, err)
		}
	}
	for _, none := range [][]string{{}, {"c4", "c4"}, {"x"}} {
		if (ids{&none}).Check() == nil {
			t.Errorf("%v are accepted", none)
		}
	}
	var all []string
	if err := (ids{&all}).Check(); err != nil {
		t.Error(err)
	}
}
