package weights_test

import (
	"fmt"
	"log"

	"antipode/experiments/measure/weights"
)

// Example measures the first layer of a PyTorch encoder.
func Example() {
	model, err := weights.Open("testdata/model.safetensors", nil, 0)
	if err != nil {
		log.Fatal(err)
	}
	defer model.Close()
	layer, err := model.NewMeter(1).Measure(0)
	if err != nil {
		log.Fatal(err)
	}
	head := layer.Heads[0]
	fmt.Printf("%s, %d layers, d = %d: β from %.1f to %.1f\n", model.Family, model.Layers, model.Dim,
		head.Beta.Low, head.Beta.High)
	// Output: pytorch, 2 layers, d = 5: β from -0.8 to 0.6
}
