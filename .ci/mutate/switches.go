package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// switched is the source of the package in the overlay that holds the switches. The environment variable
// ANTIPODE_SWITCH is the number of the change whose switch is on. ANTIPODE_SWITCHES names a file; the number
// of each executed change is added to this file.
const switched = `package switched

import (
	"os"
	"strconv"
	"sync"
)

var (
	on, _ = strconv.Atoi(os.Getenv("ANTIPODE_SWITCH"))
	path  = os.Getenv("ANTIPODE_SWITCHES")
	lock  sync.Mutex
	seen  = map[int]bool{}
)

func On(number int) bool {
	if path != "" {
		see(number)
	}
	return on == number
}

func see(number int) {
	lock.Lock()
	defer lock.Unlock()
	if seen[number] {
		return
	}
	seen[number] = true
	if file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o666); err == nil {
		file.WriteString(strconv.Itoa(number) + "\n")
		file.Close()
	}
}

type integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

type number interface {
	integer | ~float32 | ~float64 | ~complex64 | ~complex128
}

func Either[T any](number int, value, changed T) T {
	if On(number) {
		return changed
	}
	return value
}

func Error(number int, err error) error {
	if On(number) {
		return nil
	}
	return err
}

func Add[T number](number int, x, y T) T {
	if On(number) {
		return x - y
	}
	return x + y
}

func Subtract[T number](number int, x, y T) T {
	if On(number) {
		return x + y
	}
	return x - y
}

func Multiply[T number](number int, x, y T) T {
	if On(number) {
		return x / y
	}
	return x * y
}

func Divide[T number](number int, x, y T) T {
	if On(number) {
		return x * y
	}
	return x / y
}

func Remainder[T integer](number int, x, y T) T {
	if On(number) {
		return x * y
	}
	return x % y
}

func Left[T, U integer](number int, x T, y U) T {
	if On(number) {
		return x >> y
	}
	return x << y
}

func Right[T, U integer](number int, x T, y U) T {
	if On(number) {
		return x << y
	}
	return x >> y
}
`

// overlay is the file that lists the replaced files, together with the files that it has written into its
// folder.
type overlay struct {
	folder, path string
	replaced     map[string]string // for each replaced file, the changed file
	written      int               // number of files written so far
}

// compile chooses the first places that compile behind switches, and numbers them from 1. It returns these
// places and the name of the overlay.
func compile(ctx context.Context, folder string, places []*place, count int) ([]*place, string, error) {
	module, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Path}}\n{{.Dir}}").Output()
	if err != nil {
		return nil, "", err
	}
	path, root, _ := strings.Cut(strings.TrimSpace(string(module)), "\n")
	o := &overlay{folder: folder, path: filepath.Join(folder, "overlay.json"), replaced: map[string]string{}}
	own := filepath.Join(root, "internal", "switched", "switched.go")
	if err := o.write(own, switched); err != nil {
		return nil, "", err
	}
	var chosen []*place
	next := 0
	for number := 1; ; {
		for ; len(chosen) < count && next < len(places); next++ {
			if p := places[next]; !slices.ContainsFunc(chosen, p.overlaps) {
				p.number = number
				number++
				chosen = append(chosen, p)
			}
		}
		broken, err := o.broken(ctx, path, chosen)
		if err != nil {
			return nil, "", err
		}
		if len(broken) == 0 {
			return chosen, o.path, nil
		}
		chosen = slices.DeleteFunc(chosen, func(p *place) bool { return broken[p] })
	}
}

// overlaps reports whether two places have text in common, or belong to the same declaration.
func (p *place) overlaps(q *place) bool {
	return p.file == q.file && p.from < q.to && q.from < p.to
}

// span is the range of lines of a changed file that belongs to a place.
type span struct {
	from, to int
	place    *place
}

var position = regexp.MustCompile(`(?m)^(\S+\.go):(\d+):\d+: (.*)$`)

// broken writes the overlay for the chosen places, and returns those places that do not compile.
func (o *overlay) broken(ctx context.Context, module string, chosen []*place) (map[*place]bool, error) {
	files, packages := map[string][]*place{}, map[string]bool{}
	for _, p := range chosen {
		files[p.file] = append(files[p.file], p)
		packages[p.pack.ImportPath] = true
	}
	for path := range o.replaced {
		if filepath.Base(path) != "switched.go" && files[path] == nil {
			delete(o.replaced, path)
		}
	}
	spans := map[string][]span{}
	for path, here := range files {
		text, lines := apply(module, here)
		if err := o.write(path, text); err != nil {
			return nil, err
		}
		spans[nameOf(path)], spans[nameOf(o.replaced[path])] = lines, lines // the compiler names one of them
	}
	arguments := []string{"build", "-gcflags=-e", "-overlay", o.path}
	if len(packages) == 1 {
		arguments = append(arguments, "-o", os.DevNull)
	}
	command := exec.CommandContext(ctx, "go", append(arguments, slices.Sorted(maps.Keys(packages))...)...)
	out, err := command.CombinedOutput()
	if err == nil {
		return nil, nil
	}
	broken := map[*place]bool{}
	messages := position.FindAllStringSubmatch(string(out), -1)
	for _, m := range messages {
		line, _ := strconv.Atoi(m[2])
		for _, s := range spans[nameOf(m[1])] {
			if s.from <= line && line <= s.to {
				broken[s.place] = true
			}
		}
	}
	if len(broken) > 0 {
		return broken, nil
	}
	for _, m := range messages { // messages about places where a constant cannot be a variable
		for _, p := range chosen {
			if p.name != "" && strings.Contains(m[3], p.name) {
				broken[p] = true
			}
		}
	}
	if len(broken) == 0 {
		return nil, fmt.Errorf("changes do not compile: %w: %s", err, out)
	}
	return broken, nil
}

// nameOf returns the path of a file relative to the working directory.
func nameOf(path string) string {
	here, _ := os.Getwd()
	if filepath.IsAbs(path) {
		path, _ = filepath.Rel(here, path)
	}
	return filepath.Clean(path)
}

// apply returns the text of a file with the switches of its places, and the range of lines of each place.
func apply(module string, here []*place) (text string, lines []span) {
	slices.SortFunc(here, func(p, q *place) int { return cmp.Compare(p.from, q.from) })
	file := here[0].pack.files[here[0].file]
	name := here[0].pack.set.Position(file.tree.Name.End()).Offset
	var b strings.Builder
	b.WriteString(file.text[:name] + `; import switched "` + module + `/internal/switched"`)
	at := name
	line := func() int { return 1 + strings.Count(b.String(), "\n") }
	for _, p := range here {
		b.WriteString(file.text[at:p.from])
		from := line()
		b.WriteString(strings.ReplaceAll(p.text, mark, strconv.Itoa(p.number)))
		lines = append(lines, span{from, line(), p})
		at = p.to
	}
	b.WriteString(file.text[at:])
	for _, p := range here {
		if p.after != "" {
			from := line()
			b.WriteString(strings.ReplaceAll(p.after, mark, strconv.Itoa(p.number)))
			lines = append(lines, span{from, line(), p})
		}
	}
	return b.String(), lines
}

// write replaces a file of the module by a text in the overlay.
func (o *overlay) write(path, text string) error {
	to := o.replaced[path]
	if to == "" {
		o.written++
		to = filepath.Join(o.folder, fmt.Sprintf("%d-%s", o.written, filepath.Base(path)))
		o.replaced[path] = to
	}
	if err := os.WriteFile(to, []byte(text), 0o666); err != nil {
		return err
	}
	all, err := json.Marshal(map[string]map[string]string{"Replace": o.replaced})
	if err != nil {
		return err
	}
	return os.WriteFile(o.path, all, 0o666)
}
