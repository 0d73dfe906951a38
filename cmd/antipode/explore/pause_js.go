package explore

import "time"

// mostRunLayers is the number of layers of all trajectories of a run, some minutes' work.
const mostRunLayers = 1e8

// mostRunSeconds is how long a run may take, by what it needs on this machine.
const mostRunSeconds = 600

// mostTokens is the number of tokens of a trajectory that moves: of 500 a layer takes some seconds.
const mostTokens = 200

var paused time.Time

// pause lets the browser hand over what it has been asked meanwhile: there is one thread, and it does so only
// while nothing is computed.
func pause() {
	if time.Since(paused) > betweenEvents/4 {
		time.Sleep(time.Nanosecond)
		paused = time.Now()
	}
}
