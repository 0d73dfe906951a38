package data

import "math"

// nullBits are the bits of the NaN that stands for a null in a Vector column. No arithmetic of other numbers
// and no conversion from fewer bits gives this NaN. Its last four bytes are the word null.
const nullBits = 0x7FF80000_6E756C6C

// IsNull reports whether a number of a Vector column that was read from a file is null there, and not NaN. A
// list that is null has only such numbers.
func IsNull(x float64) bool { return math.Float64bits(x) == nullBits }
