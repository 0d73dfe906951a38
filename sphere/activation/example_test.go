package activation_test

import (
	"fmt"

	"antipode/sphere/activation"
)

func Example() {
	c, err := activation.NewCorrelation(activation.ReLU, 1)
	right := c.At(0) // 1/π
	fmt.Printf("%.10f %v\n", right, err)
	// Output: 0.3183098862 <nil>
}
