// Package memo caches the values of functions that are expensive and called repeatedly.
//
//	squares := memo.Of(16, func(x int) int { return x * x })
//	squares.At(3) // computed at the first call only
package memo

import "sync"

// A Memo caches values of a function. A Memo is safe for concurrent use: while one caller computes a value,
// other callers wait.
type Memo[K comparable, V any] struct {
	f      func(K) V
	most   int
	mutex  sync.Mutex
	values map[K]V
}

// Of returns an empty memo of the function f that never holds more values than the number most; most = 0
// means no limit. A full memo discards all its values before it adds a new value.
func Of[K comparable, V any](most int, f func(K) V) *Memo[K, V] {
	return &Memo[K, V]{f: f, most: most, values: map[K]V{}}
}

// At returns the value f(key) of the memo's function; f must not call At of the same memo.
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

// Forget discards all values of the memo.
func (m *Memo[K, V]) Forget() {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	clear(m.values)
}
