package data_test

import (
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"

	"antipode/data"
)

// outcome is the index of a label.
type outcome int8

// Labels implements data.Labelled.
func (outcome) Labels() []string { return []string{"single", "antipodal"} }

// row is a row of the table.
type row struct {
	Trajectory int64   `column:"trajectory" meaning:"number of the trajectory"`
	Outcome    outcome `column:"outcome" meaning:"outcome at the horizon"`
}

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
		Columns:  data.ColumnsOf[row](),
		Metadata: []data.Entry{{Key: data.KeySeed, Value: "1"}},
	}
	writer, err := data.Create(path, schema)
	if err != nil {
		log.Fatal(err)
	}
	defer writer.Abort() // without effect once the table is whole
	for k := range int64(4) {
		if err := data.WriteRows(writer, row{Trajectory: k, Outcome: outcome(k % 3 % 2)}); err != nil {
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
	var counts [2]int
	for {
		table, err := reader.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		rows, err := data.RowsOf[row](table)
		if err != nil {
			log.Fatal(err)
		}
		for _, r := range rows {
			counts[r.Outcome]++
		}
	}
	fmt.Printf("seed %s: %d single, %d antipodal\n", seed, counts[0], counts[1])
	// Output: seed 1: 3 single, 1 antipodal
}

// A table in memory becomes a file, and the file a table.
func ExampleWriteFile() {
	folder, err := os.MkdirTemp("", "data")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	table := data.NewTable(data.Schema{Columns: data.ColumnsOf[row]()})
	if err := data.WriteRows(table, row{Trajectory: 7, Outcome: 1}); err != nil {
		log.Fatal(err)
	}
	path := filepath.Join(folder, "outcomes.arrow")
	if err := data.WriteFile(path, table); err != nil {
		log.Fatal(err)
	}
	again, err := data.ReadFile(path)
	if err != nil {
		log.Fatal(err)
	}
	trajectories, err := data.ValuesOf[int64](again, "trajectory")
	fmt.Println(trajectories, err)
	// Output: [7] <nil>
}
