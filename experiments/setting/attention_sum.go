package setting

import (
	"errors"

	"antipode/data"
	"antipode/experiments/parameter"
	"antipode/sde"
)

// AttentionSumParameter returns the parameter that says how the attention of each token, a sum over all
// tokens, is computed.
func AttentionSumParameter(field *sde.AttentionSum) parameter.Parameter {
	return parameter.Parameter{Name: "attention-sum",
		Meaning: "how attention is summed over tokens: direct over all pairs, or by spherical harmonics in " +
			"d ≤ 4; fastest takes whichever is faster",
		Value: parameter.Named{Field: field, Names: sde.AttentionSumNames}}
}

// CheckAttentionSum returns an error if the method of summing attention over tokens does not fit one of the
// cells or the interaction b. The cells need not have the interaction b yet.
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

// KeyAttentionSumError is the metadata key of the bound on the relative error of attention that is summed by
// spherical harmonics.
const KeyAttentionSumError = "antipode.attention_sum_error"

// AttentionSumMetadata returns the metadata entry with the bound on the relative error of attention that is
// summed by spherical harmonics. The list of entries is empty if none of the cells uses spherical harmonics.
// All cells must be valid.
func AttentionSumMetadata(cells ...sde.Cell) []data.Entry {
	for _, c := range cells {
		if c.SumsByHarmonics() {
			return []data.Entry{{Key: KeyAttentionSumError,
				Value: parameter.FormatReal(sde.AttentionSumError)}}
		}
	}
	return nil
}
