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
	"sync"
	"time"
)

// pack is a package, as go list describes it, and who imports it.
type pack struct {
	ImportPath, Dir                    string
	GoFiles, TestGoFiles, XTestGoFiles []string
	Imports, TestImports, XTestImports []string

	users []string // packages with tests that import it, those with few imports first

	timing sync.Mutex
	quiet  time.Duration // of its short tests without a change, 0 if not known
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
	undecided outcome = "undecided" // the time was over before a test noticed it
)

// test tries the change: the short tests of its package, as long as three times what they take without
// it, then those of its users, small packages first, and at last its other tests, each as long as the
// limit. by says which tests noticed it.
func (p place) test(
	ctx context.Context, folder string, limit time.Duration,
) (o outcome, by string, err error) {
	overlay, err := p.overlay(folder)
	if err != nil {
		return "", "", err
	}
	if run(ctx, "build", "-overlay", overlay, "-o", os.DevNull, p.pack.ImportPath) != nil {
		return broken, "", nil
	}
	tests := []string{"test", "-short", "-vet=off", "-failfast", "-overlay", overlay}
	if p.pack.hasTests() {
		quiet, err := p.pack.quietTime(ctx)
		if err != nil {
			return "", "", err
		}
		const start = 20 * time.Second // of a test's build beside others
		over, err := runFor(ctx, start+3*quiet, append(slices.Clone(tests), p.pack.ImportPath)...)
		switch {
		case over:
			return noticed, " by the time", nil
		case err != nil:
			return noticed, " by " + p.pack.ImportPath, nil
		}
	}
	type round struct {
		arguments []string
		by        string
	}
	var rest []round
	if len(p.pack.users) > 0 {
		rest = append(rest, round{append(slices.Clone(tests), p.pack.users...), " by a user"})
	}
	if p.pack.hasTests() {
		all := slices.DeleteFunc(slices.Clone(tests), func(s string) bool { return s == "-short" })
		rest = append(rest, round{append(all, p.pack.ImportPath), " by a test that is not short"})
	}
	for _, r := range rest {
		switch over, err := runFor(ctx, limit, r.arguments...); {
		case over:
			return undecided, "", nil
		case err != nil:
			return noticed, r.by, nil
		}
	}
	return survived, "", nil
}

// quietTime is how long the short tests of the package take without a change, which must pass: with what else
// the machine does now, once it is built.
func (p *pack) quietTime(ctx context.Context) (time.Duration, error) {
	p.timing.Lock()
	defer p.timing.Unlock()
	if p.quiet == 0 {
		began := time.Now()
		if err := run(ctx, "test", "-short", "-vet=off", "-count=1", p.ImportPath); err != nil {
			return 0, fmt.Errorf("the tests of %s without a change: %w", p.ImportPath, err)
		}
		p.quiet = time.Since(began)
	}
	return p.quiet, nil
}

// runFor is run, and tells whether the time was over.
func runFor(ctx context.Context, limit time.Duration, arguments ...string) (over bool, err error) {
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	err = run(limited, arguments...)
	return ctx.Err() == nil && limited.Err() != nil, err
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
