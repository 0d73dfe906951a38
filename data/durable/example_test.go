package durable_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"antipode/data/durable"
)

// replace writes a file that is whole or as it was.
func replace(path string, content []byte) error {
	file, err := durable.NewReplacement(path)
	if err != nil {
		return err
	}
	defer file.Abort() // nothing after Commit
	if _, err := file.Write(content); err != nil {
		return err
	}
	return file.Commit()
}

func Example() {
	folder, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "results.txt")
	if err := replace(path, []byte("0.2224")); err != nil {
		log.Fatal(err)
	}
	content, err := os.ReadFile(path)
	fmt.Println(string(content), err)
	// Output: 0.2224 <nil>
}
