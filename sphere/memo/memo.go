// Package memo caches the values of functions that are expensive and called repeatedly.
//
//	squares := memo.Of(16, func(x int) int { return x * x })
//	squares.At(3) // computed at the first call only
package memo

import "sync"

// A Memo caches values of a function. It is safe for concurrent use: each value is computed once, and
// other callers wait meanwhile.
type Memo[K comparable, V any] struct {
	f      func(K) V
	most   int
	mutex  sync.Mutex
	values map[K]V
}

// Of returns an empty memo of f. It holds at most most values; most = 0 means no limit. If there are most
// values, it discards all of them before it adds one more.
func Of[K comparable, V any](most int, f func(K) V) *Memo[K, V] {
	return &Memo[K, V]{f: f, most: most, values: map[K]V{}}
}

// At returns f(key); f must not call At of the same memo.
func (m *Memo[K, V]) At(key K) V {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	value, known := m.values[key]
	if !known {
		value = m.f(key)
		if len(m.values) == m.most {
			clear(m.values)
		}
		m.values[key] = value
	}
	return value
}

// Forget discards all values.
func (m *Memo[K, V]) Forget() {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	clear(m.values)
}
