// Package commandline says what a person gives a command, wherever it was given, and the line that gives it.
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

// Setting is what a person has given: a command of the registry, texts by the names of its parameters, of
// which the seed is one, and whether the others have the values of the paper.
type Setting struct {
	Command string            `json:"command"`
	Given   map[string]string `json:"given"`
	Paper   bool              `json:"paper"`
}

// Line is the command as a shell reads it, which writes its table to a file. What is no parameter is left
// out.
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

// parameters are those of the command; none if there is no such command.
func (s Setting) parameters() []parameter.Parameter {
	e, err := experiments.ByName(s.Command)
	if err != nil {
		return nil
	}
	return run.Parameters(e, new(uint64))
}

// ShellWord is a text as a shell reads it as one word.
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
