package field

import "math"

// Row is a row of the table of experiment field: the attention field at a point of the circle.
type Row struct {
	X        float64  `column:"x" meaning:"first coordinate of a point of the unit circle"`
	Y        float64  `column:"y" meaning:"second coordinate of a point of the unit circle"`
	FieldX   float64  `column:"ax" meaning:"first coordinate of the attention field at the point (x, y)"`
	FieldY   float64  `column:"ay" meaning:"second coordinate of the attention field at the point (x, y)"`
	_        struct{} `meaning:"first coordinate of the part of the attention field at (x, y) that is"`
	_        struct{} `meaning:"tangent to the circle"`
	TangentX float64  `column:"px"`
	_        struct{} `meaning:"second coordinate of the part of the attention field at (x, y) that is"`
	_        struct{} `meaning:"tangent to the circle"`
	TangentY float64  `column:"py"`
}

// tangent returns the length of the field projected to the tangent.
func (r Row) tangent() float64 { return math.Hypot(r.TangentX, r.TangentY) }

// angle returns the angle of the point of the circle, in degrees from 0 to 360.
func (r Row) angle() float64 {
	degrees := math.Atan2(r.Y, r.X) * 180 / math.Pi
	if degrees < 0 {
		degrees += 360
	}
	return degrees
}
