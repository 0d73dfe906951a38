package train

import (
	"strconv"
	"strings"

	"antipode/experiments/parameter"
	"antipode/sde/training/tasks"
)

// patchSide is a parameter value: the side of an image patch, as a number of pixels or a fraction of the side
// of the image.
type patchSide struct{ field *int64 }

var patchSides = []int64{2, 4, 8, 16}

// Set implements parameter.Value.
func (v patchSide) Set(text string) error {
	for _, side := range patchSides {
		if text == strconv.FormatInt(side, 10) || text == "1/"+strconv.FormatInt(tasks.Side/side, 10) {
			*v.field = side
			return nil
		}
	}
	return parameter.MustBe(v)
}

// String implements parameter.Value.
func (v patchSide) String() string { return strconv.FormatInt(*v.field, 10) }

// Allowed implements parameter.Value.
func (v patchSide) Allowed() string {
	var pixels, sides []string
	for _, side := range patchSides {
		pixels = append(pixels, strconv.FormatInt(side, 10))
		sides = append(sides, "1/"+strconv.FormatInt(tasks.Side/side, 10))
	}
	return "one of " + strings.Join(append(pixels, sides...), ", ")
}

// Placeholder implements parameter.Value.
func (v patchSide) Placeholder() string { return "PIXELS" }

// Check implements parameter.Value.
func (v patchSide) Check() error { return patchSide{new(int64)}.Set(v.String()) }
