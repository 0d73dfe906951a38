// Mutate changes single places in packages at random. It reports the changes that no test of the module
// notices.
//
// usage: go run .ci/mutate/*.go [flags] [PACKAGE...]
//
// Without packages, it takes the packages that the commits since -base have changed. No file is changed. All
// changes are compiled at once in an overlay of the build, each behind a switch. First each test runs with
// all switches off, which shows the changes that the test executes. Then, for each change, its switch is on
// and the tests that execute the change run, the quickest first, until one fails. A change that does not
// compile behind a switch is replaced by the next change. The same seed takes the same places. With
// GOFLAGS=-tags=long the tests that go test ./... leaves out run too.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

func main() {
	log.SetFlags(0)
	seed := flag.Uint64("seed", 1, "of the places")
	count := flag.Int("count", 100, "changes")
	base := flag.String("base", "main", "commit from which touched packages are counted")
	together := flag.Int("together", 2, "tests that run at the same time")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := mutate(ctx, *seed, *count, *together, *base, flag.Args()); err != nil {
		log.Fatal("mutate: ", err)
	}
}

// mutate tries changes and prints the outcome of each.
func mutate(ctx context.Context, seed uint64, count, together int, base string, patterns []string) error {
	if len(patterns) == 0 {
		var err error
		if patterns, err = touched(base); err != nil {
			return err
		}
	}
	packages, err := load(ctx, patterns)
	if err != nil {
		return err
	}
	var places []*place
	for _, p := range packages {
		found, err := placesOf(p)
		if err != nil {
			return err
		}
		places = append(places, found...)
	}
	random := rand.New(rand.NewPCG(seed, 0))
	random.Shuffle(len(places), func(i, j int) { places[i], places[j] = places[j], places[i] })
	fmt.Printf("%d places in %d packages, seed %d\n", len(places), len(packages), seed)
	folder, err := os.MkdirTemp("", "mutate-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	chosen, overlay, err := compile(ctx, folder, places, count)
	if err != nil {
		return err
	}
	tests, err := build(ctx, folder, overlay, chosen)
	if err != nil {
		return err
	}
	if err := survey(ctx, folder, tests, chosen, together); err != nil {
		return err
	}
	return try(ctx, chosen, together)
}

// try runs the tests of each change with the switch of the change on, and prints the outcome.
func try(ctx context.Context, chosen []*place, together int) error {
	var lock sync.Mutex
	counts := map[outcome]int{}
	each(together, chosen, func(p *place) {
		o, by := p.try(ctx)
		lock.Lock()
		defer lock.Unlock()
		if ctx.Err() == nil {
			counts[o]++
			p.report(o, by)
		}
	})
	fmt.Printf("%d noticed, %d survived, %d of these executed by no test\n",
		counts[noticed], counts[survived]+counts[unreached], counts[unreached])
	return ctx.Err()
}

// each calls a function for each item. Several calls run at the same time.
func each[T any](together int, items []T, do func(T)) {
	queue := make(chan T)
	var workers sync.WaitGroup
	for range together {
		workers.Go(func() {
			for item := range queue {
				do(item)
			}
		})
	}
	for _, item := range items {
		queue <- item
	}
	close(queue)
	workers.Wait()
}

// touched returns the folders of the packages of the module that differ from a commit in a Go file that is
// not a test.
func touched(base string) (folders []string, err error) {
	out, err := exec.Command("git", "diff", "--name-only", "--diff-filter=d", base, "--", "*.go",
		":!*_test.go", ":!.ci").Output()
	if err != nil {
		return nil, fmt.Errorf("git diff %s: %w", base, err)
	}
	for _, file := range strings.Fields(string(out)) {
		folders = append(folders, "./"+filepath.Dir(file))
	}
	slices.Sort(folders)
	if folders = slices.Compact(folders); len(folders) == 0 {
		return nil, fmt.Errorf("no package differs from %s; name some", base)
	}
	return folders, nil
}

// seconds returns a duration in seconds, for a message.
func seconds(d time.Duration) string { return fmt.Sprintf("%.0f s", d.Seconds()) }
