package description_test

import (
	"encoding/json"
	"fmt"
	"log"

	"antipode/experiments/description"
)

func Example() {
	all, err := json.Marshal(description.All())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(json.Valid(all))
	// Output: true
}
