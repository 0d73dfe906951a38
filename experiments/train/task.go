package train

import "antipode/experiments/parameter"

// taskChoice is the name of a task. The tokens of heaviside are orthonormal: setting it limits their number
// to the dimension, unless the number is given.
type taskChoice struct {
	parameter.Choice
	experiment *Experiment
}

// Set implements parameter.Value.
func (v taskChoice) Set(name string) error {
	if err := v.Choice.Set(name); err != nil {
		return err
	}
	if e := v.experiment; name == heaviside {
		e.Tokens = min(e.Tokens, e.Dim)
	}
	return nil
}
