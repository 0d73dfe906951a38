//go:build !js

package explore

import "math"

// mostRunLayers is the largest number of layers of all trajectories of a run.
const mostRunLayers = math.MaxFloat64

// mostRunSeconds is the longest predicted time of a run on this machine.
const mostRunSeconds = math.MaxFloat64

// mostTokens is the largest number of tokens of an animated trajectory.
const mostTokens = 5000

// pause does nothing: other goroutines run on other processors, or take turns.
func pause() {}
