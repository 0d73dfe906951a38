package explore

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"antipode/experiments"
	"antipode/experiments/measure"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/simulate"
)

// setting is a command with the values that a person has given, by the names of parameters.
type setting struct {
	Command string            `json:"command"`
	Given   map[string]string `json:"given"`
	Paper   bool              `json:"paper"`
}

// configured is an experiment with these values, and what is wrong with them.
type configured struct {
	setting
	experiment run.Experiment
	seed       uint64
	problems   map[string]string // by the names of parameters
	problem    string            // of no parameter
}

func (c *configured) ok() bool { return len(c.problems) == 0 && c.problem == "" }

// note takes note of an error, of the parameter that it names.
func (c *configured) note(err error) {
	var of *parameter.Error
	switch {
	case errors.As(err, &of):
		c.problems[of.Parameter] = of.Problem
	case err != nil:
		c.problem = err.Error()
	}
}

// parameters are those of the experiment and the seed.
func (c *configured) parameters() []parameter.Parameter {
	return append(c.experiment.Parameters(), run.SeedParameter(c.experiment, &c.seed))
}

// configure gives an experiment the values, as its command does. The error is that there is no such command.
func (s *Server) configure(given setting) (*configured, error) {
	e, err := experiments.ByName(given.Command)
	if err != nil {
		return nil, err
	}
	c := &configured{setting: given, experiment: e, seed: 1, problems: map[string]string{}}
	parameters := c.parameters()
	unknown := map[string]bool{}
	for name := range given.Given {
		unknown[name] = true
	}
	set := func(p parameter.Parameter) {
		text, is := given.Given[p.Name]
		delete(unknown, p.Name)
		if !is {
			return
		}
		if err := s.set(p.Value, text); err != nil {
			c.problems[p.Name] = err.Error()
		}
	}
	if given.Paper {
		for _, p := range parameters { // the parameters of the paper depend on the figure
			if p.Preset {
				set(p)
			}
		}
		e.Paper()
	}
	for _, p := range parameters {
		set(p)
	}
	for name := range unknown {
		c.problem = fmt.Sprintf("%s has no parameter %.40q", e.Name(), name)
	}
	if c.ok() {
		c.note(e.Validate())
	}
	if c.ok() {
		c.note(parameter.CheckGiven(c.parameters(), func(p parameter.Parameter) bool {
			_, is := given.Given[p.Name]
			return is && !(p.Preset && given.Paper)
		}))
	}
	return c, nil
}

// set sets a value, unless that would read a file that was not named on the command line.
func (s *Server) set(value parameter.Value, text string) error {
	if namer, ok := value.(parameter.FileNamer); ok {
		if file, is := namer.NamesFile(text); is && !slices.Contains(s.Files, file) {
			return fmt.Errorf(
				"only files on the command line of explore can be read; must be %s",
				value.Allowed(),
			)
		}
	}
	return value.Set(text)
}

// field is a parameter in a form.
type field struct {
	Name    string   `json:"name"`
	Meaning string   `json:"meaning"`
	Unit    string   `json:"unit"`
	Value   string   `json:"value"`   // at present
	Default string   `json:"default"` // without anything given
	Allowed string   `json:"allowed"`
	Kind    string   `json:"kind"`    // text, choice or switch
	Options []string `json:"options"` // of a choice
	Idle    string   `json:"idle"`
	Problem string   `json:"problem"`
}

// formAnswer is a form as it stands.
type formAnswer struct {
	Fields  []field `json:"fields"`
	Problem string  `json:"problem"`
	Line    string  `json:"line"` // the command
}

// form answers with the parameters of a command, given some values.
func (s *Server) form(w http.ResponseWriter, r *http.Request) {
	c := s.asked(w, r)
	if c == nil {
		return
	}
	answer(w, http.StatusOK, formAnswer{c.fields(), c.problem, c.line(c.Command + ".arrow")})
}

// asked configures what a request asks for, or refuses it.
func (s *Server) asked(w http.ResponseWriter, r *http.Request) *configured {
	var given setting
	if !question(w, r, &given) {
		return nil
	}
	c, err := s.configure(given)
	if err != nil {
		refuse(w, http.StatusNotFound, err.Error())
		return nil
	}
	return c
}

// fields are those of the form.
func (c *configured) fields() []field {
	defaults := map[string]string{}
	if e, err := experiments.ByName(c.Command); err == nil {
		untouched := configured{experiment: e, seed: 1}
		for _, p := range untouched.parameters() {
			defaults[p.Name] = p.Value.String()
		}
	}
	var fields []field
	for _, p := range c.parameters() {
		f := field{
			Name:    p.Name,
			Meaning: p.Meaning,
			Unit:    p.Unit,
			Value:   p.Value.String(),
			Default: defaults[p.Name],
			Allowed: p.Value.Allowed(),
			Kind:    "text",
			Idle:    p.Idle,
			Problem: c.problems[p.Name],
		}
		if text, is := c.Given[p.Name]; is {
			f.Value = text
		}
		switch value := p.Value.(type) {
		case parameter.Switch:
			f.Kind = "switch"
		case parameter.Chooser:
			f.Kind, f.Options = "choice", value.Options()
		}
		fields = append(fields, f)
	}
	return fields
}

// line is the command with the same values, which writes its table to a file.
func (c *configured) line(out string) string {
	words := []string{"antipode", c.Command}
	file := ""
	for _, p := range c.parameters() {
		text, is := c.Given[p.Name]
		_, isSwitch := p.Value.(parameter.Switch)
		switch {
		case !is || isSwitch && text != "true":
		case isSwitch:
			words = append(words, "--"+p.Name)
		case p.Name == measure.FileParameter:
			file = text
		default:
			words = append(words, "--"+p.Name, shellWord(text))
		}
	}
	if c.Paper {
		words = append(words, "--paper")
	}
	words = append(words, "--out", shellWord(out))
	if file != "" {
		words = append(words, "--", shellWord(file))
	}
	return strings.Join(words, " ")
}

// shellWord is a text as a shell reads it as one word.
func shellWord(text string) string {
	plain := func(r rune) bool {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' ||
			strings.ContainsRune("+-_.,:/=@%", r)
	}
	if text != "" && strings.IndexFunc(text, func(r rune) bool { return !plain(r) }) < 0 {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// command is one of the registry.
type command struct {
	Name        string `json:"name"`
	Summary     string `json:"summary"`
	Description string `json:"description"`
	Paper       bool   `json:"paper"` // whether there is a figure of a paper at another scale
}

// commands answers with what can be run, and what the page should know at first.
func (s *Server) commands(w http.ResponseWriter, r *http.Request) {
	var all []command
	for _, e := range experiments.All() {
		summary, description := e.Help()
		all = append(all, command{e.Name(), summary, description, experiments.HasPaper(e.Name())})
	}
	answer(w, http.StatusOK, map[string]any{"version": run.Version, "commands": all, "again": s.again(r),
		"outcomes": simulate.Frame{}.Outcome.Labels()})
}

// again is the command that brings the page back at the same address.
func (s *Server) again(r *http.Request) string {
	words := []string{SecretVariable + "=" + s.Secret, "antipode", "explore", "--listen", shellWord(r.Host)}
	for _, file := range s.Files {
		words = append(words, shellWord(file))
	}
	return strings.Join(words, " ")
}

// SecretVariable is the environment variable with the secret of an address that is to stay the same.
const SecretVariable = "ANTIPODE_SECRET"
