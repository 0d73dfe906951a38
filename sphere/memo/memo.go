// Package memo keeps the values of functions that take long and are asked for again and again.
//
//	squares := memo.Of(16, func(x int) int { return x * x })
//	squares.At(3) // computed; a second time it is there
package memo

import "sync"

// A Memo has the values of a function that have been computed. It is safe for concurrent use: a value
// is computed once, and those who ask meanwhile wait.
type Memo[K comparable, V any] struct {
	f      func(K) V
	most   int
	mutex  sync.Mutex
	values map[K]V
}

// Of returns a memo of f without values. It keeps at most so many, and forgets all for one more; most = 0
// is no bound.
func Of[K comparable, V any](most int, f func(K) V) *Memo[K, V] {
	return &Memo[K, V]{f: f, most: most, values: map[K]V{}}
}

// At returns f(key), which must not ask for a value of the same memo.
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

// Forget leaves no value.
func (m *Memo[K, V]) Forget() {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	clear(m.values)
}
