package sde

import (
	"fmt"

	"antipode/sde/internal/enum"
	"antipode/sde/internal/fields"
)

// AttentionSum is the method by which sums of attention over tokens are computed. The law of a trajectory
// does not depend on the method. For many tokens the trajectory itself depends on it only in the last digits.
// For fewer than 2048/d tokens, a trajectory whose sums are computed by harmonics also has other random
// numbers.
type AttentionSum int8

const (
	// FastestSum uses spherical harmonics if they were faster in measurements on some machines, and otherwise
	// the direct sum. The choice is the same on every machine.
	FastestSum AttentionSum = iota
	// DirectSum adds the terms of all pairs of tokens.
	DirectSum
	// HarmonicsSum uses spherical harmonics; see Cell.ValidateAttentionSum.
	HarmonicsSum
)

// AttentionSumNames are the names of the methods of summation, in the order of their values.
var AttentionSumNames = []string{"fastest", "direct", "harmonics"}

// String returns the name.
func (a AttentionSum) String() string { return enum.Name(AttentionSumNames, a, "AttentionSum") }

// MarshalText returns the name, or an error if there is none.
func (a AttentionSum) MarshalText() ([]byte, error) {
	return enum.Marshal(AttentionSumNames, a, "attention sum")
}

// UnmarshalText takes one of AttentionSumNames.
func (a *AttentionSum) UnmarshalText(text []byte) error {
	return enum.Unmarshal(AttentionSumNames, a, "attention sum", text)
}

// AttentionSumError bounds the relative error of the sum of a token's weights by harmonics. For tokens whose
// rounding error would be larger, the sum is computed term by term.
const AttentionSumError = fields.Accuracy

// ValidateAttentionSum returns an error for HarmonicsSum if the bound AttentionSumError does not hold for β
// and d, or if the score of tokens x and y is not βx·y.
func (c Cell) ValidateAttentionSum() error {
	if err := enum.Check(AttentionSumNames, c.AttentionSum, "attention sum"); err != nil ||
		c.AttentionSum != HarmonicsSum {
		return err
	}
	switch {
	case c.Dim < 2 || c.Dim > fields.MostSeriesDimensions || !(c.Beta <= fields.LargestSeriesBeta):
		return fmt.Errorf("β = %v, d = %d: relative errors of at most %g are certain for d from 2 to %d "+
			"and β up to %d; must be direct", c.Beta, c.Dim, AttentionSumError, fields.MostSeriesDimensions,
			fields.LargestSeriesBeta)
	case c.Interaction != nil || !c.Resampling.none():
		return fmt.Errorf("needs the identity as interaction matrix")
	case c.Method == Chain || c.Tangent:
		return fmt.Errorf("is for the method tokens, without tangent vectors")
	}
	return nil
}

// SumsByHarmonics reports whether the attention of the cell, which must be valid, is computed by harmonics as
// long as no tokens have merged.
func (c Cell) SumsByHarmonics() bool {
	byFields := c.byMatrices() ||
		c.Method == Tokens && !c.Tangent && !c.inVectors() && c.attention().ByFields()
	return byFields && c.fieldsAttention().HasSeries()
}

// fieldsAttention returns the attention in the form for many tokens.
func (c Cell) fieldsAttention() fields.Attention {
	return fields.Attention{
		Beta: c.Beta, Softmax: c.Attention == Softmax, Interaction: c.Interaction,
		Count: c.Tokens, Dim: c.Dim, Sum: fields.Way(c.AttentionSum),
	}
}
