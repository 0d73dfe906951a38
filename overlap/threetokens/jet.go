package threetokens

import "math"

// A jet is the value of a function of the place (α, ω, x) of three tokens, with its first and second
// derivatives with respect to α, ω and x.
type jet struct {
	value  float64
	first  [3]float64
	second [3][3]float64
}

// constant returns the jet of a constant function.
func constant(value float64) jet { return jet{value: value} }

// along returns the jet of a function of the k-th variable alone, given its value and derivatives.
func along(k int, value, first, second float64) jet {
	j := jet{value: value}
	j.first[k], j.second[k][k] = first, second
	return j
}

func (j jet) plus(o jet, factor float64) jet {
	j.value += float64(factor * o.value)
	for k := range j.first {
		j.first[k] += float64(factor * o.first[k])
		for l := range j.second[k] {
			j.second[k][l] += float64(factor * o.second[k][l])
		}
	}
	return j
}

func (j jet) times(o jet) jet {
	var r jet
	r.value = j.value * o.value
	for k := range r.first {
		r.first[k] = float64(j.value*o.first[k]) + float64(j.first[k]*o.value)
		for l := range r.second[k] {
			r.second[k][l] = float64(j.value*o.second[k][l]) + float64(j.second[k][l]*o.value) +
				float64(j.first[k]*o.first[l]) + float64(j.first[l]*o.first[k])
		}
	}
	return r
}

func (j jet) log() jet {
	r := jet{value: math.Log(j.value)}
	for k := range r.first {
		r.first[k] = j.first[k] / j.value
	}
	for k := range r.second {
		for l := range r.second[k] {
			r.second[k][l] = j.second[k][l]/j.value - float64(r.first[k]*r.first[l])
		}
	}
	return r
}
