//go:build unix

package interruption

import (
	"os"
	"time"
)

// betweenLooks is the interval between checks of whether the parent process has ended.
const betweenLooks = 200 * time.Millisecond

// watchParent returns a channel that is closed when the parent process has ended; number must be its process
// number. When it ends, this process gets another parent.
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
