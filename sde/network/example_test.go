package network_test

import (
	"context"
	"fmt"
	"log"

	"antipode/sde/network"
)

// The cosine of tokens in a BERT of two layers at initialisation.
func Example() {
	law := network.BERT(16) // 16 tokens
	law.Layers = 2
	ensemble := network.Ensemble{Network: law, Networks: 2, Seed: 1}
	layers, err := ensemble.Run(context.Background()) // layers of each network
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.4f %.4f %.4f\n", layers[0][0].Cosine, layers[0][1].Cosine, layers[0][2].Cosine)
	// Output: 0.3437 0.3584 0.3790
}
