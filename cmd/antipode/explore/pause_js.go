package explore

import "time"

// mostRunLayers is the largest number of layers, of all trajectories together, of a run that is started on an
// exported page. A run of this size takes some minutes in a browser.
const mostRunLayers = 1e8

// mostRunSeconds is the largest predicted time, in seconds, of a run that is started on an exported page.
const mostRunSeconds = 600

// mostTokens is the largest number of tokens of a trajectory that an exported page animates. A layer of 500
// tokens would take some seconds.
const mostTokens = 200

var paused time.Time

// pause lets the browser deliver requests that have arrived: WebAssembly has only one thread, and requests
// are delivered only while nothing is computed.
func pause() {
	if time.Since(paused) > betweenEvents/4 {
		time.Sleep(time.Nanosecond)
		paused = time.Now()
	}
}
