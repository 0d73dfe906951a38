package tasks

import (
	"crypto/sha256"
	"encoding/binary"

	"antipode/sde/internal/kernels"
	"antipode/sde/training"
)

// draws generates the random numbers of the examples of a task. The random numbers of an example depend only
// on the task, its seed, the split and the index of the example.
type draws struct{ stream kernels.Stream }

// drawsOf returns the draws of the task with the given name and seed.
func drawsOf(name string, seed uint64) draws {
	sum := sha256.Sum256([]byte("task " + name))
	return draws{kernels.NewStream(seed, binary.LittleEndian.Uint64(sum[:8]))}
}

// role is the purpose of random numbers of an example; different roles have independent numbers.
type role int64

const (
	inputRole role = iota // the sequence, or the noise of an image
	maskRole              // positions of masks in a sequence
	classRole             // class and sign of the texture of an image
	roles
)

// uniforms fills into with independent random numbers, uniform on (0, 1).
func (d draws) uniforms(into []float64, split training.Split, index int64, r role) {
	d.stream.Uniforms(into, 0.5, kernels.Starts, index, step(split, r))
	for k := range into {
		into[k] += 0.5
	}
}

// normals fills into with independent centred normal random numbers of the given standard deviation.
func (d draws) normals(into []float64, deviation float64, split training.Split, index int64, r role) {
	d.stream.Normals(into, deviation, kernels.Starts, index, step(split, r))
}

func step(split training.Split, r role) int64 { return int64(split)*int64(roles) + int64(r) }

// sized returns a slice with the given length, in the memory of s if that suffices.
func sized[T any](s []T, length int) []T {
	if cap(s) < length {
		return make([]T, length)
	}
	return s[:length]
}
