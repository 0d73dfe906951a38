//go:build !js

package explore

import "math"

// mostRunLayers is the largest number of layers, of all trajectories together, of a run that is started on
// the page.
const mostRunLayers = math.MaxFloat64

// mostRunSeconds is the largest predicted time, in seconds, of a run that is started on the page.
const mostRunSeconds = math.MaxFloat64

// mostTokens is the largest number of tokens of a trajectory that the page animates.
const mostTokens = 5000

// pause does nothing, because outside of a browser other goroutines run on other processors, or take turns.
func pause() {}
