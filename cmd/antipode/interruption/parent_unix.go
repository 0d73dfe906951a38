//go:build unix

package interruption

import (
	"os"
	"time"
)

// betweenLooks is the time between two checks whether the parent process has ended.
const betweenLooks = 200 * time.Millisecond

// watchParent returns a channel that is closed when the parent process has ended. The argument number must be
// the process number of the parent. The end of the parent is noticed because Unix then gives this process
// another parent.
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
