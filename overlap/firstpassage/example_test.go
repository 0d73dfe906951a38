package firstpassage_test

import (
	"fmt"

	"antipode/overlap"
	"antipode/overlap/firstpassage"
)

// Two clusters of one and two tokens are antipodal for a long time only.
func ExampleLifetime() {
	d, err := overlap.NewMasses(4, 2.5, overlap.Softmax, 1, 1, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	life, _ := firstpassage.Lifetime(d)
	decay, _ := firstpassage.DecayTime(d)
	fmt.Printf("%v: %.2f, %.2f\n", d.MinusOne(), life.Value, decay.Value)
	// Output: entrance: 74.04, 101.33
}
