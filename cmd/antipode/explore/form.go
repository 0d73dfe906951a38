package explore

import (
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"

	"antipode/cmd/antipode/commandline"
	"antipode/experiments"
	"antipode/experiments/description"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/simulate"
)

// configured is an experiment with the parameters that a person has set, and the mistakes in these
// parameters.
type configured struct {
	commandline.Setting
	experiment run.Experiment
	seed       uint64
	problems   map[string]string // problems by the names of parameters
	problem    string            // a mistake that is in no particular parameter
}

func (c *configured) ok() bool { return len(c.problems) == 0 && c.problem == "" }

// note records an error at the parameter that the error names. If an error joins several errors, note records
// each of the joined errors.
func (c *configured) note(err error) {
	if joined, is := err.(interface{ Unwrap() []error }); is {
		for _, one := range joined.Unwrap() {
			c.note(one)
		}
		return
	}
	var of *parameter.Error
	switch {
	case errors.As(err, &of):
		c.problems[of.Parameter] = of.Problem
	case err != nil:
		c.problem = spoken(err)
	}
}

// configure sets the parameters of an experiment as its command would, but refuses the names of files that
// the page must not read. If the command does not exist, configure returns an error.
func (s *Server) configure(setting commandline.Setting) (*configured, error) {
	e, err := experiments.ByName(setting.Command)
	if err != nil {
		return nil, err
	}
	return s.with(e, setting.Given, setting.Paper), nil
}

// with sets the parameters of an experiment as configure does. Before, they must all have their defaults.
func (s *Server) with(e run.Experiment, given map[string]string, paper bool) *configured {
	c := &configured{Setting: commandline.Setting{Command: e.Name(), Given: given, Paper: paper},
		experiment: e, problems: map[string]string{}}
	allowed, forbidden := maps.Clone(given), s.forbidden(e, given)
	for name := range forbidden {
		delete(allowed, name)
	}
	var err error
	c.seed, err = run.Configure(e, allowed, paper)
	c.note(err)
	maps.Copy(c.problems, forbidden)
	return c
}

// forbidden returns a problem for each given value that would make the server read a file which was not named
// on its command line.
func (s *Server) forbidden(e run.Experiment, given map[string]string) map[string]string {
	problems := map[string]string{}
	for _, p := range e.Parameters() {
		namer, is := p.Value.(parameter.FileNamer)
		text, isGiven := given[p.Name]
		if !is || !isGiven {
			continue
		}
		if file, is := namer.NamesFile(text); is && !slices.Contains(s.Files, file) {
			problems[p.Name] = "only files on the command line of explore can be read; must be " +
				p.Value.Allowed()
		}
	}
	return problems
}

// field is a parameter of a command in a form of the page.
type field struct {
	description.Parameter
	Value string `json:"value"` // the current value of the parameter
	Kind  string `json:"kind"`  // kind of the field: text, choice or switch
	// Activations lists the activation functions that an MLP can have, if the parameter is an MLP.
	Activations  []string `json:"activations,omitempty"`
	Inapplicable string   `json:"inapplicable"`
	Problem      string   `json:"problem"`
}

// formAnswer is the answer with the current content of a form of the page.
type formAnswer struct {
	Fields  []field `json:"fields"`
	Problem string  `json:"problem"`
	Line    string  `json:"line"` // the command line with the current values
}

// form answers a request with all parameters of a command, given the values of some parameters.
func (s *Server) form(w http.ResponseWriter, r *http.Request) {
	c := s.asked(w, r)
	if c == nil {
		return
	}
	answer(w, http.StatusOK, formAnswer{c.fields(), c.problem, c.Line(c.Command + ".arrow")})
}

// asked configures the experiment that a request describes. If the experiment does not exist, asked refuses
// the request and returns nil.
func (s *Server) asked(w http.ResponseWriter, r *http.Request) *configured {
	var given commandline.Setting
	if !question(w, r, &given) {
		return nil
	}
	c, err := s.configure(given)
	if err != nil {
		refuse(w, http.StatusNotFound, spoken(err))
		return nil
	}
	return c
}

// fields returns the fields of the form for the configured experiment.
func (c *configured) fields() (fields []field) {
	described := description.Parameters(experiments.MustByName(c.Command))
	for k, p := range run.Parameters(c.experiment, &c.seed) {
		f := field{Parameter: described[k], Value: p.Value.String(), Kind: "text",
			Inapplicable: p.Inapplicable, Problem: c.problems[p.Name]}
		if text, is := c.Given[p.Name]; is {
			f.Value = text
		}
		if mlp, is := p.Value.(interface{ Activations() []string }); is {
			f.Activations = mlp.Activations()
		}
		switch f.Type {
		case "switch":
			f.Kind = "switch"
		case "name":
			f.Kind = "choice"
		}
		fields = append(fields, f)
	}
	return fields
}

// command describes a command of the program for the page.
type command struct {
	Name        string `json:"name"`
	Summary     string `json:"summary"`
	Description string `json:"description"`
	Paper       bool   `json:"paper"` // whether the command has a figure of a paper at another scale
}

// commands answers a request with all commands of the program, and with everything else that the page needs
// when it starts.
func (s *Server) commands(w http.ResponseWriter, r *http.Request) {
	var all []command
	for _, e := range experiments.All() {
		summary, description := e.Help()
		all = append(all, command{e.Name(), summary, description, run.HasPaper(e)})
	}
	answer(w, http.StatusOK, map[string]any{"version": run.Version, "commands": all, "again": s.again(r),
		"outcomes": simulate.Frame{}.Outcome.Labels()})
}

// again returns the command line that starts the server of the page again at the same address.
func (s *Server) again(r *http.Request) string {
	words := []string{SecretVariable + "=" + s.Secret, "antipode", "explore", "--listen",
		commandline.ShellWord(r.Host)}
	for _, file := range s.Files {
		words = append(words, commandline.ShellWord(file))
	}
	return strings.Join(words, " ")
}

// SecretVariable is the environment variable with the secret in the address of the page. If SecretVariable is
// set, the address stays the same when the server is started again.
const SecretVariable = "ANTIPODE_SECRET"
