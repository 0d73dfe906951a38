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

// The overlap of two tokens starts at 0; how long it takes to come near one of its ends.
func ExampleExit() {
	d, err := overlap.New(4, 1, overlap.Softmax, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	exit, _ := firstpassage.Exit(d, 0, -0.9, 0.9)
	fmt.Printf("%.4f\n", exit.Value)
	// Output: 1.0097
}
