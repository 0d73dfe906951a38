package simulate

import (
	"context"

	"antipode/experiments/parameter"
	"antipode/sde"
	"antipode/sde/brownian"
)

// Compare runs two experiments from the same start on the same Brownian path, layer by layer. At each layer
// Compare calls see with the frames of both experiments. Both experiments must satisfy the requirements of
// Watch, and have the same tokens, dimension, start, depth and horizon. The random numbers are those of
// brownian.NewCompared; they differ from the random numbers of a run of one experiment by itself.
func (s *Experiment) Compare(
	ctx context.Context, other *Experiment, look Look, see func(frames [2]*Frame) error,
) error {
	both := [2]*Experiment{s, other}
	var cells []sde.Cell
	var layers int64
	for _, one := range both {
		p, err := one.prepareWatch(look)
		if err != nil {
			return err
		}
		cells, layers = append(cells, p.cell), p.horizon
	}
	if s.Horizon != other.Horizon {
		return parameter.Errorf("horizon", other.Horizon, "must be the same in both, to compare them")
	}
	coupled, err := brownian.NewCompared(cells, look.Seed)
	if err == nil {
		err = coupled.Restart(s.Numbers.first)
	}
	if err != nil {
		return err
	}
	frames := [2]*Frame{{}, {}}
	for layer := int64(0); ctx.Err() == nil; layer++ {
		if look.Wanted(layer) {
			for k, one := range both {
				v := sde.NewView(s.Numbers.first, layer, coupled.Tokens(k), cells[k].Dim)
				one.look(frames[k], v, cells[k], look)
			}
			if err := see(frames); err != nil {
				return err
			}
		}
		if layer == layers {
			return nil
		}
		if err := coupled.Advance(nil); err != nil {
			return err
		}
	}
	return context.Cause(ctx)
}
