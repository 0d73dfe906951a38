// One_font writes go.mod and overlay.json into a folder, with which the program is built with one font.
//
// usage: go run .ci/one_font.go FOLDER   in the repository's folder
package main

import (
	"log"
	"os"

	"antipode/cmd/antipode/explore/static"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: go run .ci/one_font.go FOLDER")
	}
	root, err := os.Getwd()
	if err != nil {
		log.Fatal(err)
	}
	if err := static.OneFont(root, os.Args[1], map[string]string{}); err != nil {
		log.Fatal(err)
	}
}
