package hidden

import (
	"fmt"

	"antipode/experiments/measure/arrays"
)

// Mask reads an array that says which tokens of hidden states are present. The array has an entry for each
// token of each sequence, or for each token if all sequences have the same mask. A token is present if its
// entry is not 0.
func Mask(path string, sequences, tokens int) ([]bool, error) {
	file, err := arrays.Open(path, arrays.Any)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	a := file.Arrays[0]
	if shape := fmt.Sprint(a.Shape); shape != fmt.Sprint([]int{sequences, tokens}) &&
		!(sequences == 1 && shape == fmt.Sprint([]int{tokens})) {
		return nil, fmt.Errorf("has the shape %s; must be sequences × tokens, %d × %d", inWords(a.Shape),
			sequences, tokens)
	}
	numbers, scratch := make([]float64, tokens), []byte(nil)
	there := make([]bool, 0, sequences*tokens)
	for k := range sequences {
		if err := a.Read(numbers, int64(k)*int64(tokens), &scratch); err != nil {
			return nil, err
		}
		for _, x := range numbers {
			there = append(there, x != 0)
		}
	}
	return there, nil
}
