package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// test is a test, an example or a fuzz target of a package.
type test struct {
	pack   *pack
	binary string
	name   string
	quiet  time.Duration // running time with all switches off
}

// outcome says what the tests found for a change.
type outcome string

const (
	noticed   outcome = "noticed"
	survived  outcome = "SURVIVED"
	unreached outcome = "SURVIVED, executed by no test"
)

// build compiles, with the switches, the tests of all packages that use a changed package.
func build(ctx context.Context, folder, overlay string, chosen []*place) (tests []*test, err error) {
	changed := map[string]bool{}
	for _, p := range chosen {
		changed[p.pack.ImportPath] = true
	}
	users, err := testPackages(ctx, slices.Collect(maps.Keys(changed)))
	if err != nil {
		return nil, err
	}
	began := time.Now()
	for k := 0; len(users) > 0; k++ { // the binaries are in one folder and need different names
		round := filepath.Join(folder, fmt.Sprint("tests-", k))
		if err := os.Mkdir(round, 0o777); err != nil {
			return nil, err
		}
		names, rest := map[string]*pack{}, []*pack(nil)
		command := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-overlay", overlay,
			"-o", round+"/")
		for _, u := range users {
			if name := filepath.Base(u.ImportPath) + ".test"; names[name] != nil {
				rest = append(rest, u)
			} else {
				names[name] = u
				command.Args = append(command.Args, u.ImportPath)
			}
		}
		if out, err := command.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("tests with the switches: %w: %s", err, out)
		}
		for name, u := range names {
			found, err := listTests(ctx, u, filepath.Join(round, name))
			if err != nil {
				return nil, err
			}
			tests = append(tests, found...)
		}
		users = rest
	}
	fmt.Printf("%d changes, %d tests, built in %s\n", len(chosen), len(tests), seconds(time.Since(began)))
	return tests, nil
}

// listTests returns the tests of a binary.
func listTests(ctx context.Context, p *pack, binary string) (tests []*test, err error) {
	command := exec.CommandContext(ctx, binary, "-test.list", "^(Test|Example|Fuzz)")
	command.Dir = p.Dir
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("the list of tests of %s: %w", p.ImportPath, err)
	}
	for _, name := range strings.Fields(string(out)) {
		tests = append(tests, &test{pack: p, binary: binary, name: name})
	}
	return tests, nil
}

// survey runs each test with all switches off and records it with the changes that it executes. A test that
// fails is left out.
func survey(ctx context.Context, folder string, tests []*test, chosen []*place, together int) error {
	began := time.Now()
	numbers := map[int]*place{}
	for _, p := range chosen {
		numbers[p.number] = p
	}
	var lock sync.Mutex
	var failures []error
	each(together, tests, func(t *test) {
		if ctx.Err() != nil {
			return
		}
		seen := filepath.Join(folder, "seen-"+filepath.Base(filepath.Dir(t.binary))+"-"+
			filepath.Base(t.binary)+"-"+t.name)
		started := time.Now()
		err := run(ctx, 20*time.Minute, []*test{t}, "ANTIPODE_SWITCHES="+seen)
		t.quiet = time.Since(started)
		text, readErr := os.ReadFile(seen)
		os.Remove(seen)
		lock.Lock()
		defer lock.Unlock()
		if err != nil {
			fmt.Printf("left out, as it fails with all switches off: %s %s\n", t.pack.ImportPath, t.name)
			return
		}
		if readErr != nil && !os.IsNotExist(readErr) {
			failures = append(failures, readErr)
		}
		for _, word := range strings.Fields(string(text)) {
			number, err := strconv.Atoi(word)
			failures = append(failures, err)
			if p := numbers[number]; p != nil {
				p.tests = append(p.tests, t)
			}
		}
	})
	fmt.Printf("surveyed in %s\n", seconds(time.Since(began)))
	return errors.Join(append(failures, ctx.Err())...)
}

// try runs the tests that execute a change with the switch of the change on, the quickest first. It stops at
// the first test that fails although it passes with all switches off. The result by names this test.
func (p *place) try(ctx context.Context) (o outcome, by string) {
	if len(p.tests) == 0 {
		return unreached, ""
	}
	slices.SortFunc(p.tests, func(t, u *test) int { return cmp.Compare(t.quiet, u.quiet) })
	budget := time.Second
	for rest := p.tests; len(rest) > 0 && ctx.Err() == nil; budget *= 2 {
		var quick time.Duration
		count := 0
		for count < len(rest) && (count == 0 || quick < budget) {
			quick += rest[count].quiet
			count++
		}
		binaries := map[string][]*test{}
		for _, t := range rest[:count] {
			binaries[t.binary] = append(binaries[t.binary], t)
		}
		for _, binary := range slices.Sorted(maps.Keys(binaries)) {
			some := binaries[binary]
			limit := 30*time.Second + 5*quick
			err := run(ctx, limit, some, "ANTIPODE_SWITCH="+strconv.Itoa(p.number))
			if err != nil && run(ctx, limit, some, "ANTIPODE_SWITCH=0") == nil {
				return noticed, fmt.Sprintf(" by %s %s", some[0].pack.ImportPath, err)
			}
		}
		rest = rest[count:]
	}
	return survived, ""
}

// run runs some tests of one binary until the first test fails. The error names this test.
func run(ctx context.Context, limit time.Duration, some []*test, environment string) error {
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	names := make([]string, len(some))
	for i, t := range some {
		names[i] = t.name
	}
	command := exec.CommandContext(limited, some[0].binary, "-test.run", "^("+strings.Join(names, "|")+")$",
		"-test.failfast", "-test.paniconexit0", "-test.timeout", limit.String())
	command.Dir = some[0].pack.Dir
	command.Env = append(os.Environ(), environment)
	inGroup(command)
	out, err := command.Output()
	if err == nil {
		return nil
	}
	if limited.Err() != nil {
		return errors.New("(time)")
	}
	if _, after, ok := bytes.Cut(out, []byte("--- FAIL: ")); ok {
		name, _, _ := strings.Cut(string(after), " ")
		return errors.New(name)
	}
	return errors.New("(end)")
}
