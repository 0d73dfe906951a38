package data_test

import (
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"

	"antipode/data"
)

// A table is written in parts, and read back with its metadata, as by any program that
// has a table of antipode.
func Example() {
	folder, err := os.MkdirTemp("", "data")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "outcomes.arrow")

	schema := data.Schema{
		Columns: []data.Column{
			{Name: "trajectory", Kind: data.Int64},
			{Name: "outcome", Kind: data.Label, Labels: []string{"single", "antipodal"}},
		},
		Metadata: []data.Entry{{Key: data.KeySeed, Value: "1"}},
	}
	writer, err := data.Create(path, schema)
	if err != nil {
		log.Fatal(err)
	}
	defer writer.Abort() // without effect once the table is whole
	for k := range int64(4) {
		if err := writer.Write([]int64{k}, []int8{int8(k % 3 % 2)}); err != nil {
			log.Fatal(err)
		}
	}
	if err := writer.Close(); err != nil {
		log.Fatal(err)
	}

	reader, err := data.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer reader.Close()
	seed, _ := reader.Schema().Value(data.KeySeed)
	counts := map[string]int{}
	for {
		table, err := reader.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		outcomes, err := data.Values[int8](table, "outcome")
		if err != nil {
			log.Fatal(err)
		}
		for _, code := range outcomes {
			counts[schema.Columns[1].Labels[code]]++
		}
	}
	fmt.Printf("seed %s: %d single, %d antipodal\n", seed, counts["single"], counts["antipodal"])
	// Output: seed 1: 3 single, 1 antipodal
}
