// Package provenance describes the run that wrote a table as a Process Run Crate
// (https://w3id.org/ro/wfrun/process/0.5). The description of a run names the program and its version, the
// parameters, the seed and the input files of the run, and the table as its result.
//
//	crate, err := provenance.Of("phase.arrow") // from the table's own metadata
package provenance

import (
	"antipode/data"
	"antipode/experiments"
	"antipode/experiments/run"
	"antipode/experiments/wording"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"
)

// FileName is the name that the file with the description of an RO-Crate must have.
const FileName = "ro-crate-metadata.json"

// entity is a JSON object of an RO-Crate, such as a file, a program or a value.
type entity map[string]any

func reference(id string) entity { return entity{"@id": id} }

// The description of a run follows the profiles of RO-Crate at these addresses.
const (
	crateProfile = "https://w3id.org/ro/crate/1.1"
	runProfile   = "https://w3id.org/ro/wfrun/process/0.5"
)

// Of returns a description of the run that wrote the table at path. The description is meant to be written as
// JSON. If path names no table, or a table whose metadata does not describe a run that this program knows, Of
// returns an error.
func Of(path string) (any, error) {
	schema, rows, err := schemaOf(path)
	if err != nil {
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
	seed, err := seedsOf(e, schema)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	table, err := fileEntity(path, filepath.Base(path))
	if err != nil {
		return nil, err
	}
	table["description"] = fmt.Sprintf("table of antipode %s, %s", command, wording.Count(rows, "row"))
	graph := crateGraph(command, seed, schema, table, objectsOf(e))
	return entity{"@context": []string{crateProfile + "/context",
		"https://w3id.org/ro/terms/workflow-run/context"}, "@graph": graph}, nil
}

// schemaOf returns the schema and the number of rows of the table at path.
func schemaOf(path string) (data.Schema, int64, error) {
	reader, err := data.Open(path)
	if err != nil {
		return data.Schema{}, 0, err
	}
	schema, rows := reader.Schema(), reader.Rows()
	return schema, rows, reader.Close()
}

// seedsOf returns the seed of the run that wrote a table of the given schema, or several seeds separated by
// commas. The parameters of e must be those of the run.
func seedsOf(e run.Experiment, schema data.Schema) (string, error) {
	text, _ := schema.Value(data.KeySeed)
	first, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return "", fmt.Errorf("%s %q: must be a whole number", data.KeySeed, text)
	}
	return run.SeedParameter(e, &first).Value.String(), nil
}

// objectsOf describes the parameters that have an effect, as texts that their flags take, and the input files
// of a run, without the seed. An input file is not part of the crate, and may no longer exist. The checksum
// of an input file is part of the parameter that names the file.
func objectsOf(e run.Experiment) (objects []entity) {
	for _, p := range e.Parameters() {
		if p.Inapplicable == "" && !p.Preset {
			objects = append(objects, property("#parameter-"+p.Name, p.Name, p.Value.String()))
		}
	}
	inputs := slices.Sorted(slices.Values(run.Inputs(e)))
	for _, input := range slices.Compact(inputs) {
		objects = append(objects, entity{"@id": "#input-" + url.PathEscape(input),
			"@type": "CreativeWork", "name": input})
	}
	return objects
}

// property returns the entity of the crate that describes a named value.
func property(id, name, value string) entity {
	return entity{"@id": id, "@type": "PropertyValue", "name": name, "value": value}
}

// crateGraph returns the list of the entities of the crate: the crate itself, the program, the run with its
// inputs, and the table.
func crateGraph(command, seed string, schema data.Schema, table entity, objects []entity) []entity {
	version, _ := schema.Value(data.KeyVersion)
	program, result := "#antipode-"+version, table["@id"].(string)
	graph := []entity{
		{"@id": FileName, "@type": "CreativeWork", "about": reference("./"),
			"conformsTo": reference(crateProfile)},
		{"@id": "./", "@type": "Dataset", "name": "antipode " + command,
			"description": fmt.Sprintf("A run of antipode %s %s: its parameters, and the table that it "+
				"wrote.", command, version),
			"license":       "The metadata of the table state no license.",
			"datePublished": table["dateModified"],
			"conformsTo":    reference(runProfile),
			"hasPart":       []entity{reference(result)},
			"mentions":      reference("#run")},
		{"@id": runProfile, "@type": "CreativeWork", "name": "Process Run Crate", "version": "0.5"},
		{"@id": program, "@type": "SoftwareApplication", "name": "antipode", "softwareVersion": version,
			"version": version},
		property("#seed", "seed", seed),
		table,
	}
	given := []entity{reference("#seed")}
	for _, object := range objects {
		given = append(given, reference(object["@id"].(string)))
	}
	return append(append(graph, objects...), entity{"@id": "#run", "@type": "CreateAction",
		"name": "antipode " + command, "instrument": reference(program), "object": given,
		"result": reference(result), "actionStatus": reference("http://schema.org/CompletedActionStatus")})
}

// fileEntity returns the entity of the crate that describes the file at path.
func fileEntity(path, name string) (entity, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	sum := sha256.New()
	info, err := file.Stat()
	if err == nil {
		_, err = io.Copy(sum, file)
	}
	if err != nil {
		return nil, err
	}
	return entity{"@id": url.PathEscape(name), "@type": "File", "name": name,
		"encodingFormat": "application/vnd.apache.arrow.file",
		"contentSize":    fmt.Sprint(info.Size()), "sha256": hex.EncodeToString(sum.Sum(nil)),
		"dateModified": info.ModTime().UTC().Format(time.RFC3339)}, nil
}
