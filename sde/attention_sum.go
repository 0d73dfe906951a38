package sde

import (
	"fmt"

	"antipode/internal/enum"
	"antipode/sde/internal/fields"
)

// AttentionSum is the method by which the attention of a token is summed over all tokens. The law of a
// trajectory does not depend on the method of summation. For many tokens, two methods give the same
// trajectory up to the last digits. For fewer than 2048/d tokens of dimension d, trajectories summed by
// harmonics also use other random numbers than trajectories summed directly.
type AttentionSum int8

const (
	// FastestSum uses spherical harmonics if they were faster in measurements on some machines, and otherwise
	// the direct sum. The choice of FastestSum between the methods is the same on every machine.
	FastestSum AttentionSum = iota
	// DirectSum computes the attention of a token as a direct sum over all tokens.
	DirectSum
	// HarmonicsSum uses spherical harmonics, for the cells that Cell.ValidateAttentionSum accepts.
	HarmonicsSum
)

// AttentionSumNames are the names of the methods of summation, in the order of the constants.
var AttentionSumNames = []string{"fastest", "direct", "harmonics"}

// String returns the name of the method of summation.
func (a AttentionSum) String() string { return enum.Name(AttentionSumNames, a, "AttentionSum") }

// MarshalText returns the name of the method of summation, or an error for a value that has no name.
func (a AttentionSum) MarshalText() ([]byte, error) {
	return enum.Marshal(AttentionSumNames, a, "attention sum")
}

// UnmarshalText sets the method of summation to that with the given name, one of AttentionSumNames.
func (a *AttentionSum) UnmarshalText(text []byte) error {
	return enum.Unmarshal(AttentionSumNames, a, "attention sum", text)
}

// AttentionSumError bounds the relative error of the sum of a token's weights by harmonics. If the rounding
// error of harmonics would exceed this bound for a token, its sum is computed term by term.
const AttentionSumError = fields.Accuracy

// ValidateAttentionSum returns an error for HarmonicsSum if the bound AttentionSumError does not hold for β
// and d, if the score of tokens x and y is not βx·y, or if the cell has tangent vectors or is not for the
// method Tokens. ValidateAttentionSum also returns an error for an AttentionSum without a name.
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

// SumsByHarmonics reports whether the attention of the cell is summed by spherical harmonics as long as no
// tokens have merged. The cell must be valid.
func (c Cell) SumsByHarmonics() bool {
	byFields := c.byMatrices() ||
		c.Method == Tokens && !c.Tangent && !c.inVectors() && c.attention().ByFields()
	return byFields && c.fieldsAttention().HasSeries()
}

// fieldsAttention returns the attention of the cell as package internal/fields describes it.
func (c Cell) fieldsAttention() fields.Attention {
	return fields.Attention{
		Beta: c.Beta, Softmax: c.Attention == Softmax, Interaction: c.Interaction,
		Count: c.Tokens, Dim: c.Dim, Sum: fields.Way(c.AttentionSum),
	}
}
