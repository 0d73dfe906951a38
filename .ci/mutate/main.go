// Mutate changes single places of packages at random and reports the changes that their tests do not notice.
//
// usage: go run .ci/mutate/*.go [flags] [PACKAGE...]
//
// Without packages it takes those that the commits since -base have touched. No file is changed: each
// change is an overlay of the build. The short tests of the changed package run first, then those of the
// packages that import it, and at last its other tests, until one fails or the time is over. A change
// that does not compile is replaced by the next. The same seed takes the same places.
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
	count := flag.Int("count", 100, "changes that compile")
	base := flag.String("base", "main", "commit from which touched packages are counted")
	limit := flag.Duration("limit", time.Minute, "time of the tests after the short ones of the package, "+
		"each")
	together := flag.Int("together", 2, "changes that are tried at the same time")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := mutate(ctx, *seed, *count, *together, *limit, *base, flag.Args()); err != nil {
		log.Fatal("mutate: ", err)
	}
}

// mutate tries changes and prints how each ended.
func mutate(
	ctx context.Context, seed uint64, count, together int, limit time.Duration, base string,
	patterns []string,
) error {
	if len(patterns) == 0 {
		var err error
		if patterns, err = touched(base); err != nil {
			return err
		}
	}
	packages, err := load(patterns)
	if err != nil {
		return err
	}
	var places []place
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
	return try(ctx, folder, places, count, together, limit)
}

// try tries the first places that compile, several at the same time.
func try(
	ctx context.Context, folder string, places []place, count, together int, limit time.Duration,
) error {
	var lock sync.Mutex
	next, counts := 0, map[outcome]int{}
	take := func() (p place, ok bool) { // counts those that are on the way as ones that compile
		lock.Lock()
		defer lock.Unlock()
		tried := counts[noticed] + counts[survived] + counts[undecided] + counts[running]
		if next == len(places) || tried >= count || ctx.Err() != nil {
			return p, false
		}
		next++
		counts[running]++
		return places[next-1], true
	}
	var workers sync.WaitGroup
	failures := make([]error, together)
	for k := range together {
		workers.Go(func() {
			for p, ok := take(); ok && failures[k] == nil; p, ok = take() {
				o, by, err := p.test(ctx, filepath.Join(folder, fmt.Sprint(k)), limit)
				lock.Lock()
				counts[running]--
				if failures[k] = err; err == nil && ctx.Err() == nil {
					counts[o]++
					p.report(o, by)
				}
				lock.Unlock()
			}
		})
	}
	workers.Wait()
	fmt.Printf("%d noticed, %d survived, %d undecided; %d did not compile\n",
		counts[noticed], counts[survived], counts[undecided], counts[broken])
	for _, err := range failures {
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

// touched are the packages of the module whose Go files, but for those of tests, differ from a commit.
func touched(base string) (paths []string, err error) {
	out, err := exec.Command("git", "diff", "--name-only", "--diff-filter=d", base, "--", "*.go",
		":!*_test.go").Output()
	if err != nil {
		return nil, fmt.Errorf("git diff %s: %w", base, err)
	}
	all, err := list("./...")
	if err != nil {
		return nil, err
	}
	for _, file := range strings.Fields(string(out)) {
		folder, err := filepath.Abs(filepath.Dir(file))
		if err != nil {
			return nil, err
		}
		for _, p := range all {
			if p.Dir == folder {
				paths = append(paths, p.ImportPath)
			}
		}
	}
	slices.Sort(paths)
	if paths = slices.Compact(paths); len(paths) == 0 {
		return nil, fmt.Errorf("no package differs from %s; name some", base)
	}
	return paths, nil
}
