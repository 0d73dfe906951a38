package measure

import (
	"context"
	"fmt"

	"antipode/experiments/internal/namedfile"
	"antipode/experiments/measure/hidden"
	"antipode/experiments/run"
)

// source is a file of hidden states to be measured.
type source struct {
	states *hidden.States
	mask   []bool // sequences × tokens; nil without a mask
	first  int    // index of the file's first piece of work among all
}

// files returns the files of hidden states to be measured, the first file first.
func (m *Experiment) files() []string {
	if !m.several() {
		return []string{m.File}
	}
	return append([]string{m.File}, m.Compare...)
}

// several reports whether several files of hidden states are compared.
func (m *Experiment) several() bool { return len(m.Compare) > 0 && !m.weighs() && !m.infers() }

// open opens all files of hidden states, and compares their checksums with those in the parameters. The
// caller must close the sources.
func (m *Experiment) open(options run.Options) (sources []source, err error) {
	defer func() {
		if err != nil {
			closeAll(sources)
		}
	}()
	pieces := 0
	for k, file := range m.files() {
		path, want := namedfile.Split(file)
		states, err := hidden.Open(path)
		if err != nil {
			return sources, m.problemOf(k, err)
		}
		sources = append(sources, source{states: states, first: pieces})
		pieces += states.Layers * states.Sequences
		if err := m.checkMemory(states, options); err != nil {
			return sources, err
		}
		if _, err := checksum(path, want); err != nil {
			return sources, m.problemOf(k, err)
		}
		if sources[k].mask, err = m.mask(states, path); err != nil {
			return sources, err
		}
	}
	return sources, nil
}

func closeAll(sources []source) {
	for _, s := range sources {
		s.states.Close()
	}
}

// of returns the index of the source to which a piece of work belongs.
func of(sources []source, piece int) (at int) {
	for at+1 < len(sources) && piece >= sources[at+1].first {
		at++
	}
	return at
}

// place returns the layer and the sequence that a piece of work measures.
func (s *source) place(piece int) (layer, sequence int) {
	piece -= s.first
	return piece / s.states.Sequences, piece % s.states.Sequences
}

// present returns the mask of a sequence, which says which tokens count, or nil without a mask.
func (s *source) present(sequence int) []bool {
	if s.mask == nil {
		return nil
	}
	return s.mask[sequence*s.states.Tokens:][:s.states.Tokens]
}

// pieces returns the total number of pieces of work of all sources.
func pieces(sources []source) int {
	last := sources[len(sources)-1]
	return last.first + last.states.Layers*last.states.Sequences
}

// worker returns a function that measures a piece of work: one sequence in one layer.
func (m *Experiment) worker(sources []source) func(ctx context.Context, piece int) ([]float64, error) {
	readers := make([]*hidden.Reader, len(sources))
	meter := &meter{beta: m.Beta, tolerance: m.Tolerance, loosely: m.loosely()}
	var tokens []float64
	return func(ctx context.Context, piece int) ([]float64, error) {
		k := of(sources, piece)
		s := &sources[k]
		if readers[k] == nil {
			readers[k] = s.states.Reader()
		}
		size := s.states.Tokens * s.states.Dim
		if len(tokens) < size {
			tokens = make([]float64, size)
		}
		layer, sequence := s.place(piece)
		if err := readers[k].Read(layer, sequence, tokens[:size]); err != nil {
			return nil, err
		}
		measured, err := meter.measure(tokens[:size], s.states.Dim, s.present(sequence))
		if err != nil {
			return nil, m.problemOf(k, fmt.Errorf("layer %d, sequence %d: %w", layer, sequence, err))
		}
		return measured.slice(m.numbers()), nil
	}
}
