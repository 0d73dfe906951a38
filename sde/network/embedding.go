package network

import (
	"fmt"

	"antipode/sphere/elementary"
)

// Sequence is a sequence of words or vectors as the input of a Transformer.
type Sequence struct {
	// Words are indices of words in the vocabulary, from 0, if tokens are words.
	Words []int
	// Vectors has one vector in each row. The embedding applies a linear map to each vector. If the network
	// has no embedding, the vectors are the tokens before the first layer.
	Vectors matrix
	// Types are the types of all tokens, from 0; nil if all tokens have type 0.
	Types []int
}

// embedding converts words or vectors to tokens: the sum of the embeddings of the token itself, of its
// position and of its type.
type embedding struct {
	law             Embedding
	word, class     weight
	position, types weight
	fixed           matrix // fixed embeddings of positions; see sinusoidal
	vectors         linear
	norm            *norm // LayerNorm of embeddings; nil without LayerNorm
	tokens          int   // number of tokens in a sequence
	sequences       []Sequence
	out             matrix
	derivative      matrix // derivatives with respect to the vectors
}

// embedding returns the layer that embeds sequences, with memory for the embeddings of the given number of
// words. The number of words is the size of the vocabulary, or less if only the words that occur are stored.
func (d *drafter) embedding(words int) *embedding {
	e := &embedding{law: d.Embedding, tokens: d.tokens, out: d.tokenMatrix()}
	law := func(role role) law { return normal(role, d.Embedding.Variance, 1) }
	if d.Embedding.Vocabulary > 0 {
		e.word = d.weight("embedding.word.weight", words, d.Dim, law(wordRole))
	} else {
		weights := law(vectorMapRole)
		e.vectors = d.linear("embedding.vector", d.Dim, d.Embedding.Features, weights, constantLaw(0))
		if d.gradient != nil {
			e.derivative = d.matrix(max(d.sequences, 1)*(d.tokens-e.first()), d.Embedding.Features)
		}
	}
	if d.Embedding.Class {
		e.class = d.weight("embedding.class.weight", 1, d.Dim, law(classRole))
	}
	switch d.Embedding.Positions {
	case LearnedPositions:
		e.position = d.weight("embedding.position.weight", d.Tokens, d.Dim, law(positionRole))
	case SinusoidalPositions:
		if e.fixed = d.matrix(d.tokens, d.Dim); !d.measure {
			sinusoidal(e.fixed)
		}
	}
	if d.Embedding.Types > 0 {
		e.types = d.weight("embedding.type.weight", d.Embedding.Types, d.Dim, law(typeRole))
	}
	if d.Embedding.Norm {
		e.norm = d.norm("embedding.norm")
	}
	return e
}

// sinusoidal fills rows with the position embeddings of the original Transformer.
func sinusoidal(m matrix) {
	for t := range m.Rows {
		position := row(m, t)
		for k := range position {
			exponent := float64(k/2*2) / float64(m.Cols)
			frequency := elementary.Exp(-float64(exponent * elementary.Log(10000)))
			sin, cos := elementary.SinCos(float64(t) * frequency)
			if position[k] = sin; k%2 == 1 {
				position[k] = cos
			}
		}
	}
}

// first returns the index of the first token that is computed from a word or vector: 1 if there is a class
// token, and otherwise 0.
func (e *embedding) first() int {
	if e.law.Class {
		return 1
	}
	return 0
}

// check panics if the embedding cannot read the sequence.
func (e *embedding) check(s Sequence) {
	tokens := e.tokens - e.first()
	switch {
	case e.law.Vocabulary > 0 && len(s.Words) != tokens:
		panic(fmt.Sprintf("network: %d words for %d tokens", len(s.Words), tokens))
	case e.law.Features > 0 && (s.Vectors.Rows != tokens || s.Vectors.Cols != e.law.Features):
		panic(fmt.Sprintf("network: %d vectors of %d coordinates for %d tokens of %d features",
			s.Vectors.Rows, s.Vectors.Cols, tokens, e.law.Features))
	case s.Types != nil && len(s.Types) != e.tokens:
		panic(fmt.Sprintf("network: %d types for %d tokens", len(s.Types), e.tokens))
	}
}

// Forward returns the tokens of the sequences: the sums of their embeddings, with LayerNorm if requested.
func (e *embedding) Forward(sequences []Sequence) matrix {
	e.sequences = append(e.sequences[:0], sequences...) // the slice that was passed in belongs to the caller
	for k, s := range sequences {
		e.check(s)
		e.embed(s, rowsOf(e.out, k*e.tokens, e.tokens))
	}
	if e.norm != nil {
		return e.norm.Forward(e.out)
	}
	return e.out
}

// embed writes the tokens of a sequence, before LayerNorm, to out.
func (e *embedding) embed(s Sequence, out matrix) {
	first := e.first()
	if e.law.Class {
		copy(row(out, 0), e.class.Data)
	}
	if e.law.Vocabulary > 0 {
		for k, word := range s.Words {
			copy(row(out, first+k), row(e.word.matrix, word))
		}
	} else {
		e.vectors.forward(s.Vectors, rowsOf(out, first, out.Rows-first))
	}
	for t := range out.Rows {
		token := row(out, t)
		switch e.law.Positions {
		case LearnedPositions:
			addMultiple(token, 1, row(e.position.matrix, t))
		case SinusoidalPositions:
			addMultiple(token, 1, row(e.fixed, t))
		}
		if e.law.Types > 0 {
			addMultiple(token, 1, row(e.types.matrix, s.typeOf(t)))
		}
	}
}

func (s Sequence) typeOf(t int) int {
	if s.Types == nil {
		return 0
	}
	return s.Types[t]
}

// Backward replaces the derivatives with respect to tokens by the derivatives with respect to the sums of
// embeddings. Backward accumulates the derivatives with respect to the embeddings, and returns the
// derivatives with respect to the vectors or, if tokens are words, with respect to the sums of embeddings.
func (e *embedding) Backward(derivative matrix) matrix {
	if e.norm != nil {
		e.norm.Backward(derivative)
	}
	vectors := e.tokens - e.first()
	for k, s := range e.sequences {
		tokens := rowsOf(derivative, k*e.tokens, e.tokens)
		e.backward(s, tokens)
		if e.law.Vocabulary == 0 {
			outputs := rowsOf(tokens, e.first(), vectors)
			e.vectors.parameters(s.Vectors, outputs)
			e.vectors.input(outputs, 0, rowsOf(e.derivative, k*vectors, vectors))
		}
	}
	if e.law.Vocabulary > 0 {
		return derivative
	}
	return e.derivative
}

// backward accumulates the derivatives with respect to the embeddings whose sums are the tokens of a
// sequence. The method Backward adds the derivatives with respect to the linear map of vectors.
func (e *embedding) backward(s Sequence, derivative matrix) {
	first := e.first()
	for t := range derivative.Rows {
		token := row(derivative, t)
		if e.law.Positions == LearnedPositions {
			addMultiple(row(e.position.gradient, t), 1, token)
		}
		if e.law.Types > 0 {
			addMultiple(row(e.types.gradient, s.typeOf(t)), 1, token)
		}
		if t < first {
			addMultiple(e.class.gradient.Data, 1, token)
		} else if e.law.Vocabulary > 0 {
			addMultiple(row(e.word.gradient, s.Words[t-first]), 1, token)
		}
	}
}
