// Mutate changes single places of packages at random and reports the changes that no quick test of the module
// notices.
//
// usage: go run .ci/mutate/*.go [flags] [PACKAGE...]
//
// Without packages it takes those that the commits since -base have touched. No file is changed: all changes
// are compiled at once, each behind a switch, in an overlay of the build. A first run of each test with all
// switches off finds which changes the test executes; then, for each change, the tests that execute it run
// with its switch on, the quickest first, until one fails. A change that does not compile behind a switch is
// replaced by the next. The same seed takes the same places.
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

// mutate tries changes and prints how each ended.
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

// try runs the tests of each change with its switch on and prints how it ended.
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

// each calls a function for all items, several at the same time.
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

// touched are the packages of the module whose Go files, but for those of tests, differ from a commit.
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

// seconds are those of a duration, for a message.
func seconds(d time.Duration) string { return fmt.Sprintf("%.0f s", d.Seconds()) }
