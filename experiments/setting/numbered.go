package setting

import (
	"fmt"
	"slices"

	"antipode/sde"
)

// places says which trajectory of a file each state of the file belongs to. The zero value stands for the
// trajectories 0, 1, 2, … in this order.
type places struct {
	of          map[int64]int64 // place of the state in the file, by the index of the trajectory
	least, most int64           // indices of trajectories
	repeated    *int64          // index of a trajectory with several states; nil if there is none
}

// placesOf returns the places of states that belong to trajectories with the given indices.
func placesOf(trajectories []int64) places {
	if inOrder(trajectories) {
		return places{} // without a map, as there may be many millions
	}
	p := places{of: map[int64]int64{}, least: slices.Min(trajectories), most: slices.Max(trajectories)}
	for place, k := range trajectories {
		if _, is := p.of[k]; is && p.repeated == nil {
			p.repeated = &trajectories[place]
		}
		p.of[k] = int64(place)
	}
	return p
}

// inOrder reports whether numbers are 0, 1, 2, …
func inOrder(numbers []int64) bool {
	for place, k := range numbers {
		if k != int64(place) {
			return false
		}
	}
	return true
}

// isComplete reports whether the trajectories have the indices 0 to n-1.
func (p places) isComplete() bool {
	return p.repeated == nil && p.least == 0 && p.most == int64(len(p.of))-1
}

// check returns an error if the file does not have exactly one state for each trajectory from first to last.
// If the file has the trajectories 0 to n-1, further trajectories start from those again.
func (p places) check(first, last int64) error {
	switch {
	case p.of == nil:
		return nil
	case p.repeated != nil:
		return fmt.Errorf("the file has trajectory %d in several places; must have its rows together",
			*p.repeated)
	case p.isComplete():
		return nil
	}
	for k := first; k <= last; k++ {
		if _, is := p.of[k]; !is {
			return fmt.Errorf("the file has no trajectory %d; its %d trajectories have numbers from %d to "+
				"%d: choose some with --trajectory", k, len(p.of), p.least, p.most)
		}
	}
	return nil
}

// numberedStates starts each trajectory from the state that belongs to its index.
type numberedStates struct {
	*sde.StatesStart
	places places
}

// Fill implements sde.Start. A trajectory that the file does not have, with which only the time of a run is
// estimated, starts from any state.
func (s *numberedStates) Fill(x []float64, d int, trajectory int64, normal func() float64) error {
	if s.places.isComplete() {
		trajectory %= int64(len(s.places.of))
	}
	place, is := s.places.of[trajectory]
	if !is {
		place = trajectory
	}
	return s.StatesStart.Fill(x, d, place, normal)
}
