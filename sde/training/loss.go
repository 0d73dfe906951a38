package training

import (
	"antipode/sde/internal/kernels"
	"antipode/sphere/elementary"

	"gonum.org/v1/gonum/blas/blas64"
)

// sums holds sums over examples: the sum of the losses, the number of correct classes, and the number of
// terms. For the cross-entropy a term is a token whose class is asked for; for the mean square a term is a
// coordinate of an output.
type sums struct{ loss, right, count float64 }

func (s *sums) add(more sums) {
	s.loss += more.loss
	s.right += more.right
	s.count += more.count
}

// criterion computes the losses of examples and the derivatives of these losses with respect to the outputs
// of the network.
type criterion struct {
	loss      Loss
	smoothing float64          // label smoothing of the cross-entropy
	vectors   []kernels.Vector // working memory for softmax
}

func newCriterion(loss Loss, smoothing float64, outputs int) *criterion {
	return &criterion{loss, smoothing, make([]kernels.Vector, (outputs+7)/8)}
}

// of returns the sums of losses over the outputs of an example, and replaces the outputs by factor times the
// derivatives of the loss with respect to these outputs.
func (c *criterion) of(outputs blas64.General, e *Example, factor float64) (s sums) {
	for t := range outputs.Rows {
		y := outputs.Data[t*outputs.Stride:][:outputs.Cols]
		switch {
		case c.loss == MeanSquare:
			s.add(halfSquare(y, e.Values.Data[t*e.Values.Stride:], factor))
		case e.Classes[t] == NotAsked:
			clear(y)
		default:
			s.add(c.crossEntropy(y, e.Classes[t], factor))
		}
	}
	return s
}

// halfSquare returns half the squared distance of the output y from the target output right.
func halfSquare(y, right []float64, factor float64) sums {
	loss := 0.0
	for k, v := range y {
		difference := v - right[k]
		loss += float64(0.5 * difference * difference)
		y[k] = factor * difference
	}
	return sums{loss: loss, count: float64(len(y))}
}

// crossEntropy computes the cross-entropy -Σ q log p, where p is the softmax of the logits and q is the
// smoothed target. Of the K classes, the correct one has q = 1-ε + ε/K, and any other has q = ε/K (Szegedy et
// al. 2016, 7). The derivatives of the cross-entropy with respect to the logits are p - q.
func (c *criterion) crossEntropy(logits []float64, class int, factor float64) sums {
	best := 0
	for k, x := range logits {
		if x > logits[best] {
			best = k
		}
	}
	largest := logits[best]
	other := c.smoothing / float64(len(logits))
	expected := 0.0
	for k, x := range logits {
		c.vectors[k/8][k%8] = x - largest
		expected += x - largest
	}
	expected = float64(other*expected) + float64((1-c.smoothing)*(logits[class]-largest))
	kernels.Exp(c.vectors, c.vectors)
	total := 0.0
	for k := range logits {
		total += c.vectors[k/8][k%8]
	}
	for k := range logits {
		logits[k] = factor * (c.vectors[k/8][k%8]/total - other)
	}
	logits[class] -= float64(factor * (1 - c.smoothing))
	s := sums{loss: elementary.Log(total) - expected, count: 1}
	if best == class {
		s.right = 1
	}
	return s
}

// all applies the method of to the outputs of several examples, one example after the other. Outputs of the
// network after those of the last example are set to 0.
func (c *criterion) all(outputs blas64.General, examples []Example, factor float64) (total sums) {
	rows := 0
	for k := range examples {
		part := outputs
		part.Rows = examples[k].rows(c.loss)
		part.Data = outputs.Data[rows*outputs.Stride:]
		total.add(c.of(part, &examples[k], factor))
		rows += part.Rows
	}
	clear(outputs.Data[rows*outputs.Stride:])
	return total
}

// rows returns the number of outputs, one for each token, of an example.
func (e *Example) rows(loss Loss) int {
	if loss == MeanSquare {
		return e.Values.Rows
	}
	return len(e.Classes)
}

// terms returns the number of terms in the sum of the losses of an example; see sums.
func (e *Example) terms(loss Loss) (terms float64) {
	if loss == MeanSquare {
		return float64(e.Values.Rows * e.Values.Cols)
	}
	for _, class := range e.Classes {
		if class != NotAsked {
			terms++
		}
	}
	return terms
}
