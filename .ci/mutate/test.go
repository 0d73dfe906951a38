package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// pack is a package, as go list describes it, and who imports it.
type pack struct {
	ImportPath, Dir                    string
	GoFiles, TestGoFiles, XTestGoFiles []string
	Imports, TestImports, XTestImports []string

	users []string // packages with tests that import it, those with few imports first
}

// hasTests reports whether there are files of tests.
func (p *pack) hasTests() bool { return len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 }

// list is what go list says of packages.
func list(patterns ...string) (all []*pack, err error) {
	command := exec.Command("go", append([]string{"list", "-json"}, patterns...)...)
	command.Stderr = os.Stderr
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	for decoder := json.NewDecoder(out); ; {
		p := new(pack)
		if err := decoder.Decode(p); err == io.EOF {
			return all, command.Wait()
		} else if err != nil {
			return nil, errors.Join(err, command.Wait())
		}
		all = append(all, p)
	}
}

// load returns packages with their users, of the whole module.
func load(patterns []string) ([]*pack, error) {
	wanted, err := list(patterns...)
	if err != nil {
		return nil, err
	}
	all, err := list("./...")
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(all, func(a, b *pack) int { return len(a.Imports) - len(b.Imports) })
	for _, p := range wanted {
		for _, q := range all {
			imports := slices.Concat(q.Imports, q.TestImports, q.XTestImports)
			if q.ImportPath != p.ImportPath && q.hasTests() && slices.Contains(imports, p.ImportPath) {
				p.users = append(p.users, q.ImportPath)
			}
		}
	}
	return wanted, nil
}

// outcome is how a change ended.
type outcome string

const (
	running   outcome = "running"
	broken    outcome = "broken" // does not compile
	noticed   outcome = "noticed"
	survived  outcome = "SURVIVED"
	undecided outcome = "undecided" // the time was over while all tests passed
)

// test tries the change: the tests of its package, short ones first, then those of its users. by says which
// package noticed it.
func (p place) test(ctx context.Context, folder string, limit time.Duration) (o outcome, by string, err error) {
	overlay, err := p.overlay(folder)
	if err != nil {
		return "", "", err
	}
	if run(ctx, "build", "-overlay", overlay, "-o", os.DevNull, p.pack.ImportPath) != nil {
		return broken, "", nil
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	tests := []string{"test", "-vet=off", "-failfast", "-overlay", overlay}
	var rounds [][]string
	if p.pack.hasTests() {
		rounds = append(rounds, append(slices.Clone(tests), "-short", p.pack.ImportPath),
			append(slices.Clone(tests), p.pack.ImportPath))
	}
	for _, user := range p.pack.users {
		rounds = append(rounds, append(slices.Clone(tests), user))
	}
	for k, arguments := range rounds {
		err := run(limited, arguments...)
		switch own := p.pack.hasTests() && k < 2; {
		case limited.Err() != nil && own: // the tests do not end, or are slow
			return noticed, " by the time", nil
		case limited.Err() != nil:
			return undecided, fmt.Sprintf(" in %s", arguments[len(arguments)-1]), nil
		case err != nil:
			return noticed, " by " + arguments[len(arguments)-1], nil
		}
	}
	return survived, "", nil
}

// overlay writes the changed file and the overlay that has it, and returns the path of that.
func (p place) overlay(folder string) (string, error) {
	source, err := os.ReadFile(p.file)
	if err != nil {
		return "", err
	}
	changed, overlay := filepath.Join(folder, "changed.go"), filepath.Join(folder, "overlay.json")
	text, err := json.Marshal(map[string]map[string]string{"Replace": {p.file: changed}})
	if err != nil {
		return "", err
	}
	return overlay, errors.Join(os.MkdirAll(folder, 0o777),
		os.WriteFile(changed, slices.Concat(source[:p.from], []byte(p.text), source[p.to:]), 0o666),
		os.WriteFile(overlay, text, 0o666))
}

// run runs the go command, and kills it with all that it began when the context ends.
func run(ctx context.Context, arguments ...string) error {
	command := exec.CommandContext(ctx, "go", arguments...)
	inGroup(command)
	return command.Run()
}
