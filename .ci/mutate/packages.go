package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// pack is a package as go list describes it, together with its syntax and types.
type pack struct {
	ImportPath, Dir, Export, ForTest string
	GoFiles, Deps                    []string
	TestGoFiles, XTestGoFiles        []string

	set   *token.FileSet
	files map[string]*source // by path
	info  *types.Info
}

// source is a Go file of a package.
type source struct {
	path string
	text string
	tree *ast.File
}

// list returns the packages that go list describes for these arguments.
func list(ctx context.Context, arguments ...string) (all []*pack, err error) {
	command := exec.CommandContext(ctx, "go", append([]string{"list", "-json"}, arguments...)...)
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

// load returns packages with their syntax and types.
func load(ctx context.Context, patterns []string) ([]*pack, error) {
	wanted, err := list(ctx, patterns...)
	if err != nil {
		return nil, err
	}
	compiled, err := list(ctx, append([]string{"-export", "-deps"}, patterns...)...)
	if err != nil {
		return nil, err
	}
	exports := map[string]string{}
	for _, p := range compiled {
		exports[p.ImportPath] = p.Export
	}
	for _, p := range wanted {
		if err := p.check(exports); err != nil {
			return nil, err
		}
	}
	return wanted, nil
}

// check reads the files of a package and determines the types of their expressions.
func (p *pack) check(exports map[string]string) error {
	p.set, p.files = token.NewFileSet(), map[string]*source{}
	p.info = &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}}
	var trees []*ast.File
	for _, name := range p.GoFiles {
		path := filepath.Join(p.Dir, name)
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		tree, err := parser.ParseFile(p.set, path, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		p.files[path] = &source{path, string(text), tree}
		trees = append(trees, tree)
	}
	open := func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) }
	config := types.Config{Importer: importer.ForCompiler(p.set, "gc", open)}
	if _, err := config.Check(p.ImportPath, p.set, trees, p.info); err != nil {
		return fmt.Errorf("types of %s: %w", p.ImportPath, err)
	}
	return nil
}

// testPackages returns the packages with tests that are changed packages, or that import a changed package
// directly or indirectly.
func testPackages(ctx context.Context, changed []string) (users []*pack, err error) {
	all, err := list(ctx, "-test", "./...") // packages, and binaries of tests with the suffix .test
	if err != nil {
		return nil, err
	}
	uses := map[string]bool{}
	for _, b := range all {
		uses[b.ImportPath] = slices.ContainsFunc(b.Deps, func(dependency string) bool {
			return slices.Contains(changed, dependency)
		})
	}
	for _, p := range all {
		if p.ForTest == "" && len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 &&
			(uses[p.ImportPath+".test"] || slices.Contains(changed, p.ImportPath)) {
			users = append(users, p)
		}
	}
	return users, nil
}
