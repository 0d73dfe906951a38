package verify

import (
	"fmt"
	"slices"
	"strings"

	"antipode/experiments/parameter"
)

// ids is the value of a list of ids of claims, all for nil.
type ids struct{ field *[]string }

const allClaims = "all"

func idsOf(claims []Claim) []string {
	var ids []string
	for _, c := range claims {
		ids = append(ids, c.ID)
	}
	return ids
}

// Set implements Value.
func (v ids) Set(text string) error {
	if text == allClaims {
		*v.field = nil
		return nil
	}
	given := strings.Split(text, ",")
	if err := (ids{&given}).Check(); err != nil {
		return err
	}
	*v.field = given
	return nil
}

// String implements Value.
func (v ids) String() string {
	if *v.field == nil {
		return allClaims
	}
	return strings.Join(*v.field, ",")
}

// Allowed implements Value. There are too many claims to name them all.
func (v ids) Allowed() string {
	return allClaims + ", or ids of claims with commas between, which antipode verify --list names"
}

// Placeholder implements Value.
func (v ids) Placeholder() string { return "IDS" }

// Check implements Value.
func (v ids) Check() error {
	if *v.field == nil {
		return nil
	}
	known := idsOf(Claims())
	for k, id := range *v.field {
		switch {
		case !slices.Contains(known, id):
			question := parameter.DidYouMean(id, known, parameter.Guessed)
			return fmt.Errorf("no claim is called %q%s; %w", id, question, parameter.MustBe(v))
		case slices.Contains((*v.field)[:k], id):
			return fmt.Errorf("%s is there twice; %w", id, parameter.MustBe(v))
		}
	}
	return parameter.CheckThat(len(*v.field) > 0, v)
}
