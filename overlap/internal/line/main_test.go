package line

import (
	"antipode/overlap/internal/overlaptest"
)

// near fails unless |got-want| ≤ tolerance.
var near = overlaptest.Near
