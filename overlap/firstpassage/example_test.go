package firstpassage_test

import (
	"fmt"

	"antipode/overlap"
	"antipode/overlap/firstpassage"
)

// Two clusters of one and two tokens stay antipodal for a long but finite time.
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

// The mean time at which the overlap of two tokens, started at 0, comes near one of its ends.
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
