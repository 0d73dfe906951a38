package tasks

import (
	"crypto/sha256"
	"encoding/binary"

	"antipode/sde/internal/kernels"
	"antipode/sde/training"
)

// draws are the random numbers of a task: those of an example are at an address that its split and its index
// decide alone.
type draws struct{ stream kernels.Stream }

// drawsOf are those of the task of that name under a seed.
func drawsOf(name string, seed uint64) draws {
	sum := sha256.Sum256([]byte("task " + name))
	return draws{kernels.NewStream(seed, binary.LittleEndian.Uint64(sum[:8]))}
}

// role is what the random numbers of an example are for.
type role int64

const (
	inputRole role = iota // the sequence or the noise of an image
	maskRole              // what is masked of it
	classRole             // the class of an image, and its sign
	roles
)

// uniforms fills into with independent numbers, uniform on (0, 1).
func (d draws) uniforms(into []float64, split training.Split, index int64, r role) {
	d.stream.Uniforms(into, 0.5, kernels.Starts, index, step(split, r))
	for k := range into {
		into[k] += 0.5
	}
}

// normals fills into with independent normal numbers of that standard deviation.
func (d draws) normals(into []float64, deviation float64, split training.Split, index int64, r role) {
	d.stream.Normals(into, deviation, kernels.Starts, index, step(split, r))
}

func step(split training.Split, r role) int64 { return int64(split)*int64(roles) + int64(r) }

// below is the number from 0, below limit, that a uniform number stands for.
func below(uniform float64, limit int) int { return min(int(uniform*float64(limit)), limit-1) }

// sized is s with that length, in the same memory if it is enough.
func sized[T any](s []T, length int) []T {
	if cap(s) < length {
		return make([]T, length)
	}
	return s[:length]
}
