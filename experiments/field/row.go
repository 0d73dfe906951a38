package field

import "math"

// Row is a row of the table of experiment field: the attention field at a point of the circle.
type Row struct {
	X        float64 `column:"x" meaning:"point of the circle, first coordinate"`
	Y        float64 `column:"y" meaning:"point of the circle, second coordinate"`
	FieldX   float64 `column:"ax" meaning:"attention field there, first coordinate"`
	FieldY   float64 `column:"ay" meaning:"attention field there, second coordinate"`
	TangentX float64 `column:"px" meaning:"projection of the field to the tangent, first coordinate"`
	TangentY float64 `column:"py" meaning:"projection of the field to the tangent, second coordinate"`
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
