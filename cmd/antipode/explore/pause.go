//go:build !js

package explore

// pause does nothing: other goroutines have processors of their own, or their turn.
func pause() {}
