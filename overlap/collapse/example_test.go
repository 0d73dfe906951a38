package collapse_test

import (
	"fmt"
	"log"

	"antipode/overlap/collapse"
)

// Mean squared norms of the derivatives of attention with respect to its value and query weights.
func Example() {
	law := collapse.Gaussian{Tokens: 128, Dim: 64, Variance: 1, Correlation: 0.2}
	values, err := law.ValueGradient()
	if err != nil {
		log.Fatal(err)
	}
	queries, err := law.QueryGradient(1) // temperature
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.1f %.5f\n", values, queries)
	// Output: 108134.4 7805.92800
}
