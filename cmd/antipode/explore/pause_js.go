package explore

import "time"

// mostRunLayers is the largest number of layers of all trajectories of a run: some minutes of work.
const mostRunLayers = 1e8

// mostRunSeconds is the longest predicted time of a run on this machine.
const mostRunSeconds = 600

// mostTokens is the largest number of tokens of an animated trajectory. With 500 tokens a layer would take
// some seconds.
const mostTokens = 200

var paused time.Time

// pause lets the browser deliver requests that have arrived: there is only one thread, and requests are
// delivered only while nothing is computed.
func pause() {
	if time.Since(paused) > betweenEvents/4 {
		time.Sleep(time.Nanosecond)
		paused = time.Now()
	}
}
