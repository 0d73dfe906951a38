//go:build unix

package interruption

import (
	"os"
	"time"
)

// betweenLooks is how long the end of the parent process may go unnoticed.
const betweenLooks = 200 * time.Millisecond

// watchParent returns a channel that is closed when the parent process, which must be the one of that number,
// has ended: another one takes its place then.
func watchParent(number int) (<-chan struct{}, error) {
	ended := make(chan struct{})
	go func() {
		for os.Getppid() == number {
			time.Sleep(betweenLooks)
		}
		close(ended)
	}()
	return ended, nil
}
