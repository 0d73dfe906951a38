package elementary_test

import (
	"fmt"

	"antipode/sphere/elementary"
)

// The same digits on every machine.
func Example() {
	y := elementary.Exp(1) - 1
	fmt.Println(y, elementary.Expm1(1e-9))
	// Output: 1.7182818284590455 1.0000000005000001e-09
}
