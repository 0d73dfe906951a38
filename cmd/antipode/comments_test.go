package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"antipode/sphere/must"
)

// names holds the identifiers that the module declares (all), and those that each of its packages declares
// (of).
type names struct {
	all map[string]bool
	of  map[string]map[string]bool
}

func (n *names) declare(pkg, name string) {
	if n.of[pkg] == nil {
		n.of[pkg] = map[string]bool{}
	}
	n.all[name], n.of[pkg][name] = true, true
}

// module parses all Go files of the module, and returns their identifiers, and their comments by position.
func module(t *testing.T) (declared names, comments map[string]string) {
	t.Helper()
	declared, comments = names{map[string]bool{}, map[string]map[string]bool{}}, map[string]string{}
	positions := token.NewFileSet()
	must.Do(t, filepath.WalkDir(filepath.Join("..", ".."), func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") {
			return err
		}
		file, err := parser.ParseFile(positions, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		pkg := strings.TrimSuffix(file.Name.Name, "_test")
		ast.Inspect(file, func(node ast.Node) bool {
			switch x := node.(type) {
			case *ast.Ident:
				declared.declare(pkg, x.Name)
			case *ast.FuncDecl:
				checkDoc(t, positions.Position(x.Pos()).String(), x)
			}
			return true
		})
		for _, group := range file.Comments {
			for _, c := range group.List {
				comments[positions.Position(c.Pos()).String()] = c.Text
			}
		}
		return nil
	}))
	return declared, comments
}

// checkDoc fails if the comment of a function does not begin with its name. The comments of tests may begin
// otherwise.
func checkDoc(t *testing.T, place string, f *ast.FuncDecl) {
	t.Helper()
	words := strings.Fields(f.Doc.Text())
	free := regexp.MustCompile(`^(Test|Fuzz|Benchmark|Example|init$)`).MatchString(f.Name.Name)
	if len(words) > 0 && !free && strings.Trim(words[0], ",:.") != f.Name.Name {
		t.Errorf("%s: the comment of %s begins with %q", place, f.Name.Name, words[0])
	}
}

var (
	pointer   = regexp.MustCompile(`\*([A-Z]\w+)`)
	link      = regexp.MustCompile(`\[([A-Z][A-Za-z0-9]*)\](?:[^(\w]|$)`)
	qualified = regexp.MustCompile(`\b([a-z]+)\.([A-Z]\w*)`)
)

// Whatever a comment names is declared: *Name, [Name], and package.Name for a package of the module; and a
// function's comment begins with its name. No comment has a quotation mark that gofmt made of two primes.
func TestCommentsNameWhatIsThere(t *testing.T) {
	declared, comments := module(t)
	if len(comments) < 1000 || !declared.of["parameter"]["Error"] {
		t.Fatalf("%d comments", len(comments))
	}
	for place, text := range comments {
		if strings.ContainsAny(text, "”“") {
			t.Errorf("%s: a quotation mark: %s", place, text)
		}
		for _, m := range append(pointer.FindAllStringSubmatch(text, -1),
			link.FindAllStringSubmatch(text, -1)...) {
			if !declared.all[m[1]] {
				t.Errorf("%s: no %s: %s", place, m[1], text)
			}
		}
		for _, m := range qualified.FindAllStringSubmatch(text, -1) {
			if of, ok := declared.of[m[1]]; ok && !of[m[2]] {
				t.Errorf("%s: no %s.%s: %s", place, m[1], m[2], text)
			}
		}
	}
}
