package setting

import (
	"errors"

	"antipode/data"
	"antipode/experiments/parameter"
	"antipode/sde"
)

// AttentionSumParameter is how the sums of attention over tokens are computed.
func AttentionSumParameter(field *sde.AttentionSum) parameter.Parameter {
	return parameter.Parameter{Name: "attention-sum",
		Meaning: "how attention is summed over tokens: direct over all pairs, or by spherical harmonics in " +
			"d ≤ 4; fastest takes whichever is faster",
		Value: parameter.Named{Field: field, Names: sde.AttentionSumNames}}
}

// CheckAttentionSum refuses a way to sum that does not fit one of the cells, or their interaction, which they
// need not have yet.
func CheckAttentionSum(b Interaction, cells ...sde.Cell) error {
	for _, c := range cells {
		err := c.ValidateAttentionSum()
		if err == nil && c.AttentionSum == sde.HarmonicsSum && !b.Identity() {
			err = errors.New("needs the identity as interaction; must be direct")
		}
		if err != nil {
			return parameter.Errorf("attention-sum", c.AttentionSum.String(), "%v", err)
		}
	}
	return nil
}

// KeyAttentionSumError is the key of the metadata that bound the relative error of sums of attention by
// harmonics.
const KeyAttentionSumError = "antipode.attention_sum_error"

// AttentionSumMetadata is the bound on the error of sums by harmonics, if one of the cells, which must be
// valid, has any.
func AttentionSumMetadata(cells ...sde.Cell) []data.Entry {
	for _, c := range cells {
		if c.SumsByHarmonics() {
			return []data.Entry{{Key: KeyAttentionSumError,
				Value: parameter.FormatReal(sde.AttentionSumError)}}
		}
	}
	return nil
}
