package verify

import (
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

func (v ids) choices(field *[]string) parameter.Choices {
	return parameter.Choices{Field: field, Names: idsOf(Claims())}
}

// Set implements Value.
func (v ids) Set(text string) error {
	if text == allClaims {
		*v.field = nil
		return nil
	}
	var given []string
	if v.choices(&given).Set(text) != nil {
		return parameter.MustBe(v)
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

// Allowed implements Value.
func (v ids) Allowed() string { return allClaims + ", " + v.choices(nil).Allowed() }

// Placeholder implements Value.
func (v ids) Placeholder() string { return "IDS" }

// Check implements Value.
func (v ids) Check() error {
	if *v.field == nil {
		return nil
	}
	return parameter.CheckThat(v.choices(v.field).Check() == nil, v)
}
