package experimenttest

import "errors"

// ErrNoRoom is the error of a Room for bytes that do not fit.
var ErrNoRoom = errors.New("no room")

// Room is a writer that has room for the given number of bytes, like a disk that is nearly full. Room refuses
// bytes that do not fit.
type Room int

// Write implements io.Writer.
func (r *Room) Write(p []byte) (int, error) {
	if len(p) > int(*r) {
		return 0, ErrNoRoom
	}
	*r -= Room(len(p))
	return len(p), nil
}
