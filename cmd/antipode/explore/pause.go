//go:build !js

package explore

import "math"

// mostRunLayers is the number of layers of all trajectories of a run.
const mostRunLayers = math.MaxFloat64

// mostRunSeconds is how long a run may take, by what it needs on this machine.
const mostRunSeconds = math.MaxFloat64

// mostTokens is the number of tokens of a trajectory that moves.
const mostTokens = 5000

// pause does nothing: other goroutines have processors of their own, or their turn.
func pause() {}
