// Package commandline reads command lines of the program, and writes the command line for what a user has
// given to a command, in a terminal or on the page of the command explore.
//
//	given := commandline.Setting{Command: "phase", Given: map[string]string{"dim": "4"}}
//	line := given.Line("phase.arrow") // antipode phase --dim 4 --out phase.arrow
package commandline

import (
	"strings"

	"antipode/experiments"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
)

// Setting is what a user has given to the program: a command, the values of some of its parameters as texts
// by name, and whether all other parameters have the values of the paper. The seed of random numbers is one
// of the parameters.
type Setting struct {
	Command string            `json:"command"`
	Given   map[string]string `json:"given"`
	Paper   bool              `json:"paper"`
}

// Line returns the command line that runs the command of the setting and writes its table to the file out,
// quoted for a shell. Given values whose names are not parameters of the command are left out.
func (s Setting) Line(out string) string {
	words, file := []string{"antipode", s.Command}, ""
	for _, p := range s.parameters() {
		text, is := s.Given[p.Name]
		_, isSwitch := p.Value.(parameter.Switch)
		switch {
		case !is:
		case isSwitch && text == "true":
			words = append(words, "--"+p.Name)
		case isSwitch:
			words = append(words, "--"+p.Name+"="+ShellWord(text))
		case p.Argument:
			file = text
		default:
			words = append(words, "--"+p.Name, ShellWord(text))
		}
	}
	if s.Paper {
		words = append(words, "--paper")
	}
	words = append(words, "--out", ShellWord(out))
	if file != "" {
		words = append(words, "--", ShellWord(file))
	}
	return strings.Join(words, " ")
}

// parameters returns the parameters of the command, or no parameters if the command does not exist.
func (s Setting) parameters() []parameter.Parameter {
	e, err := experiments.ByName(s.Command)
	if err != nil {
		return nil
	}
	return run.Parameters(e, new(uint64))
}

// ShellWord quotes a text so that a shell reads it as one word.
func ShellWord(text string) string {
	plain := func(r rune) bool {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' ||
			strings.ContainsRune("+-_.,:/=@%", r)
	}
	if text != "" && strings.IndexFunc(text, func(r rune) bool { return !plain(r) }) < 0 {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
