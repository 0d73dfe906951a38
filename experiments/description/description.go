// Package description describes for other programs all commands, their parameters, and the columns of their
// tables. The only source of the description is the list of experiments.
//
//	all, err := json.Marshal(description.All())
package description

import (
	"slices"
	"strings"

	"antipode/data"
	"antipode/experiments"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/internal/lists"
)

// Program is the description of the entire program.
type Program struct {
	Version  string    `json:"version"`
	Commands []Command `json:"commands"`
}

// Command is the description of an experiment, which is a command of the program.
type Command struct {
	Name        string      `json:"name"`
	Subject     string      `json:"subject"` // subject of the group under which help lists it
	Summary     string      `json:"summary"`
	Description string      `json:"description"`
	Paper       bool        `json:"paper"`      // whether --paper sets parameters of a figure
	Prints      bool        `json:"prints"`     // whether files are written only on request
	Parameters  []Parameter `json:"parameters"` // of the experiment, and the seed
	Tables      []Table     `json:"tables"`
}

// Parameter is the description of a parameter of a command, with its default value as a text.
type Parameter struct {
	Name     string   `json:"name"`
	Former   string   `json:"former"` // former name, for old flags and files; "" for none
	Meaning  string   `json:"meaning"`
	Unit     string   `json:"unit"` // "" for a pure number
	Type     string   `json:"type"` // see TypeOf
	Default  string   `json:"default"`
	Allowed  string   `json:"allowed"`  // allowed values in words
	Options  []string `json:"options"`  // allowed names; for a number, the text of an absent value
	Low      *float64 `json:"low"`      // lower bound of each number; null if there is no bound
	High     *float64 `json:"high"`     // upper bound of each number; null if there is no bound
	Open     bool     `json:"open"`     // whether the lower bound is not allowed
	Argument bool     `json:"argument"` // whether a command line omits its name
	File     bool     `json:"file"`     // whether the value may name a file to read
}

// Table is the description of the table that a command writes with its default parameters. A command that can
// save several tables has a Table for each of them. If an MLP beside attention adds columns, the command has
// another Table with an MLP.
type Table struct {
	Save    string   `json:"save"` // content of the table; "" if there is no choice
	With    string   `json:"with"` // parameter that adds columns; "" for none
	Columns []Column `json:"columns"`
}

// Column is the description of a column of a table.
type Column struct {
	Name    string   `json:"name"`
	Type    string   `json:"type"`
	Unit    string   `json:"unit"` // "" for a pure number
	Meaning string   `json:"meaning"`
	Labels  []string `json:"labels"` // all possible values of a column of labels
}

// All returns the description of the entire program, with the experiments of all groups.
func All() Program {
	program := Program{Version: run.Version}
	for _, group := range experiments.Groups() {
		for _, e := range group.Experiments {
			summary, text := e.Help()
			program.Commands = append(program.Commands, Command{
				Name: e.Name(), Subject: group.Subject, Summary: summary, Description: text,
				Paper: run.HasPaper(e), Prints: prints(e), Parameters: Parameters(e),
				Tables: tables(e),
			})
		}
	}
	return program
}

// prints reports whether the command of an experiment prints its report, and writes files only on request.
func prints(e run.Experiment) bool {
	_, prompt := e.(run.Prompt)
	_, follows := e.(run.Follower)
	return prompt || follows
}

// Parameters describes the parameters of an experiment, with their default values, and the parameter of the
// seed.
func Parameters(e run.Experiment) (all []Parameter) {
	seed := uint64(run.DefaultSeed)
	return lists.Map(run.Parameters(e, &seed), parameterOf)
}

// parameterOf describes a parameter with its default value.
func parameterOf(p parameter.Parameter) Parameter {
	_, file := p.Value.(parameter.FileNamer)
	d := Parameter{Name: p.Name, Former: p.Former, Meaning: p.Meaning, Unit: p.Unit, Type: TypeOf(p.Value),
		Default: p.Value.String(), Allowed: p.Value.Allowed(), Argument: p.Argument, File: file,
		Options: optionsOf(p.Value)}
	if bounded, is := p.Value.(parameter.Bounded); is {
		bounds := bounded.Bounds()
		d.Low, d.High, d.Open = &bounds.Low, &bounds.High, bounds.Open // finite, as JSON has no infinities
	}
	return d
}

// TypeOf returns the type of a parameter value: switch, name, names, number, numbers, count, counts, or
// another word that describes the text of the value. The values of a type in the plural are separated by
// commas.
func TypeOf(value parameter.Value) string {
	if _, is := value.(parameter.Switch); is {
		return "switch"
	}
	return strings.ToLower(value.Placeholder())
}

// optionsOf returns the names among which a parameter value chooses one or several.
func optionsOf(value parameter.Value) []string {
	switch value := value.(type) {
	case parameter.Chooser:
		return value.Options()
	case parameter.SeveralChooser:
		return value.Choices().Names
	case parameter.Optional:
		return []string{value.Absent()}
	}
	return []string{}
}

// tables describes the table of an experiment, or all tables that the experiment can save.
func tables(e run.Experiment) (all []Table) {
	k := slices.IndexFunc(e.Parameters(),
		func(p parameter.Parameter) bool { return p.Name == run.SaveParameter })
	if k < 0 {
		return append([]Table{{Columns: columns(e)}}, tableWithMLP(e)...)
	}
	save := e.Parameters()[k].Value
	before := save.String()
	for _, name := range optionsOf(save) {
		if save.Set(name) == nil {
			all = append(all, Table{Save: name, Columns: columns(e)})
		}
	}
	mustSet(save, before)
	return all
}

// tableWithMLP describes the table of an experiment with an MLP beside attention, if the MLP adds columns.
func tableWithMLP(e run.Experiment) []Table {
	without := columns(e)
	for _, p := range e.Parameters() {
		if TypeOf(p.Value) != "mlp" {
			continue
		}
		before := p.Value.String()
		mustSet(p.Value, "tanh:1")
		with := columns(e)
		mustSet(p.Value, before)
		if len(with) > len(without) {
			return []Table{{With: p.Name, Columns: with}}
		}
	}
	return nil
}

// mustSet sets a value that is valid, and panics if it is not.
func mustSet(value parameter.Value, text string) {
	if err := value.Set(text); err != nil {
		panic(err)
	}
}

func columns(e run.Experiment) []Column { return lists.Map(e.Columns(), ColumnOf) }

// ColumnOf describes a column of a table.
func ColumnOf(c data.Column) Column {
	return Column{c.Name, c.Kind.String(), c.Unit, c.Meaning, append([]string{}, c.Labels...)}
}
