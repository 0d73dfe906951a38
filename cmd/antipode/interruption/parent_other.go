//go:build !unix

package interruption

import "os"

// watchParent returns a channel that is closed when the process with the given number has ended.
func watchParent(number int) (<-chan struct{}, error) {
	process, err := os.FindProcess(number)
	if err != nil {
		return nil, err
	}
	ended := make(chan struct{})
	go func() {
		process.Wait()
		close(ended)
	}()
	return ended, nil
}
