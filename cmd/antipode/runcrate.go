package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"antipode/data"
	"antipode/data/durable"
	"antipode/experiments"
	"antipode/experiments/run"
	"antipode/experiments/wording"

	"github.com/urfave/cli/v2"
)

// crateName is the name of the description of an RO-Crate, which it must have.
const crateName = "ro-crate-metadata.json"

func runCrateCommand(stdout io.Writer) *cli.Command {
	return &cli.Command{
		Name:      "run-crate",
		Usage:     "the provenance of a table as a Process Run Crate",
		ArgsUsage: "FILE",
		Description: `Writes ro-crate-metadata.json beside FILE, which makes its folder a Process Run Crate
(https://w3id.org/ro/wfrun/process/0.5): the program with its version, the run with its
parameters, seed and input files, and the table as its result. All of it is from FILE's
own metadata; the date is that of the file.

Example: antipode run-crate phase.arrow`,
		Action: interruptible(func(c *cli.Context) error {
			path, err := oneFile(c)
			if err != nil {
				return err
			}
			crate, err := crateOf(path)
			if err != nil {
				return err
			}
			out := filepath.Join(filepath.Dir(path), crateName)
			file, err := durable.NewReplacement(out)
			if err != nil {
				return err
			}
			defer file.Abort()
			encoder := json.NewEncoder(file)
			encoder.SetIndent("", "  ")
			encoder.SetEscapeHTML(false)
			if err := encoder.Encode(crate); err != nil {
				return err
			}
			if err := file.Commit(); err != nil {
				return err
			}
			_, err = fmt.Fprintf(stdout, "Wrote %s.\n", out)
			return err
		}),
	}
}

// entity is an object of the crate.
type entity map[string]any

func reference(id string) entity { return entity{"@id": id} }

// crateOf describes the run that wrote the table at path.
func crateOf(path string) (entity, error) {
	reader, err := data.Open(path)
	if err != nil {
		return nil, err
	}
	schema, rows := reader.Schema(), reader.Rows()
	if err := reader.Close(); err != nil {
		return nil, err
	}
	command, known := schema.Value(data.KeyCommand)
	if !known {
		return nil, fmt.Errorf("%s: metadata has no %s", path, data.KeyCommand)
	}
	e, err := experiments.ByName(command)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if err := run.ReadParameters(e, &data.Table{Schema: schema}); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	table, err := fileEntity(path, filepath.Base(path))
	if err != nil {
		return nil, err
	}
	table["description"] = fmt.Sprintf("table of antipode %s, %s", command, wording.Count(rows, "row"))
	version, _ := schema.Value(data.KeyVersion)
	program := "#antipode-" + version
	seed, _ := schema.Value(data.KeySeed)
	parameters, _ := schema.Value(data.KeyParameters)
	objects, parts := []entity{reference("#seed")}, []entity{reference(table["@id"].(string))}
	graph := []entity{
		{"@id": crateName, "@type": "CreativeWork", "about": reference("./"),
			"conformsTo": reference("https://w3id.org/ro/crate/1.1")},
		nil, // the root, of which all is not known yet
		{"@id": "https://w3id.org/ro/wfrun/process/0.5", "@type": "CreativeWork", "name": "Process Run Crate",
			"version": "0.5"},
		{"@id": program, "@type": "SoftwareApplication", "name": "antipode", "softwareVersion": version,
			"version": version},
		{"@id": "#seed", "@type": "PropertyValue", "name": "seed", "value": seed},
		table,
	}
	for name, value := range run.Entries([]byte(parameters)) {
		id := "#parameter-" + name
		graph = append(graph, entity{"@id": id, "@type": "PropertyValue", "name": name,
			"value": plain(value)})
		objects = append(objects, reference(id))
	}
	for _, input := range run.Inputs(e) {
		// It stands elsewhere, and may be gone: the parameter has its checksum.
		id := "#input-" + url.PathEscape(lastName(input))
		graph = append(graph, entity{"@id": id, "@type": "CreativeWork", "name": input})
		objects = append(objects, reference(id))
	}
	graph = append(graph, entity{"@id": "#run", "@type": "CreateAction", "name": "antipode " + command,
		"instrument": reference(program), "object": objects, "result": reference(table["@id"].(string)),
		"actionStatus": reference("http://schema.org/CompletedActionStatus")})
	graph[1] = entity{"@id": "./", "@type": "Dataset", "name": "antipode " + command,
		"description": fmt.Sprintf("A run of antipode %s %s: its parameters, and the table that it wrote.",
			command, version),
		"license":       "The metadata of the table state no license.",
		"datePublished": table["dateModified"],
		"conformsTo":    reference("https://w3id.org/ro/wfrun/process/0.5"),
		"hasPart":       parts,
		"mentions":      reference("#run")}
	return entity{"@context": []string{"https://w3id.org/ro/crate/1.1/context",
		"https://w3id.org/ro/terms/workflow-run/context"}, "@graph": graph}, nil
}

// lastName is the last element of a path of any system: a table may have been made on another one.
func lastName(path string) string { return path[strings.LastIndexAny(path, `/\`)+1:] }

// plain is a parameter's value as a text or a number.
func plain(value json.RawMessage) any {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	return strings.Trim(string(value), "[]")
}

// fileEntity describes a file by what it is.
func fileEntity(path, name string) (entity, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return nil, err
	}
	return entity{"@id": url.PathEscape(name), "@type": "File", "name": name,
		"encodingFormat": "application/vnd.apache.arrow.file",
		"contentSize":    fmt.Sprint(info.Size()), "sha256": hex.EncodeToString(sum.Sum(nil)),
		"dateModified": info.ModTime().UTC().Format(time.RFC3339)}, nil
}
