package kernels

import "antipode/sphere/elementary"

// Exp writes e^x to dst for every number x of src, with the bits of elementary.Exp.
// dst may be src.
func Exp(dst, src []Vector) { active.exp(dst, src[:len(dst)]) }

// Log writes ln x to dst for every number x of src, with the bits of elementary.Log.
// dst may be src.
func Log(dst, src []Vector) { active.log(dst, src[:len(dst)]) }

func expGeneric(dst, src []Vector) { each(elementary.Exp, dst, src) }
func logGeneric(dst, src []Vector) { each(elementary.Log, dst, src) }

func each(f func(float64) float64, dst, src []Vector) {
	for v := range dst {
		for k, x := range src[v] {
			dst[v][k] = f(x)
		}
	}
}
