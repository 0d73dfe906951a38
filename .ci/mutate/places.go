package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
)

// place is where a text of a file is replaced by another.
type place struct {
	pack       *pack
	file       string // its path
	kind       string
	from, to   int // in the file's bytes
	text       string
	line       int
	lineBefore string
	lineAfter  string
}

// placesOf are the places in the files of a package, but for generated ones.
func placesOf(p *pack) (places []place, err error) {
	for _, name := range p.GoFiles {
		path := filepath.Join(p.Dir, name)
		source, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, source, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		if ast.IsGenerated(file) {
			continue
		}
		add := func(kind string, from, to token.Pos, text string) {
			at := set.Position(from)
			places = append(places, place{pack: p, file: path, kind: kind, from: at.Offset,
				to: set.Position(to).Offset, text: text, line: at.Line}.shown(string(source)))
		}
		text := func(n ast.Node) string {
			return string(source[set.Position(n.Pos()).Offset:set.Position(n.End()).Offset])
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if declaration, ok := n.(*ast.GenDecl); ok && declaration.Tok == token.IMPORT {
				return false
			}
			collect(n, text, add)
			return true
		})
	}
	return places, nil
}

// other is what takes the place of an operator.
var other = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LAND: token.LOR, token.LOR: token.LAND,
	token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL,
	token.REM: token.MUL, token.SHL: token.SHR, token.SHR: token.SHL,
	token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN,
	token.MUL_ASSIGN: token.QUO_ASSIGN, token.QUO_ASSIGN: token.MUL_ASSIGN,
	token.INC: token.DEC, token.DEC: token.INC,
}

// collect adds the changes that are possible at a node.
func collect(n ast.Node, text func(ast.Node) string, add func(kind string, from, to token.Pos, text string)) {
	operator := func(at token.Pos, op token.Token) {
		if with, ok := other[op]; ok {
			add("operator", at, at+token.Pos(len(op.String())), with.String())
		}
	}
	switch n := n.(type) {
	case *ast.BinaryExpr:
		operator(n.OpPos, n.Op)
	case *ast.BasicLit:
		switch n.Kind {
		case token.INT:
			add("constant", n.Pos(), n.End(), "("+n.Value+"+1)")
		case token.FLOAT:
			add("constant", n.Pos(), n.End(), "(2*"+n.Value+")")
		}
	case *ast.IncDecStmt:
		operator(n.TokPos, n.Tok)
		add("dropped statement", n.Pos(), n.End(), "{}")
	case *ast.ExprStmt:
		if !strings.HasPrefix(text(n), "panic(") {
			add("dropped statement", n.Pos(), n.End(), "{}")
		}
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE {
			operator(n.TokPos, n.Tok)
			add("dropped statement", n.Pos(), n.End(), "{}")
		}
	case *ast.IfStmt:
		add("swapped branches", n.Cond.Pos(), n.Cond.End(), "!("+text(n.Cond)+")")
	case *ast.BranchStmt:
		if n.Label == nil && n.Tok == token.CONTINUE {
			add("loop", n.Pos(), n.End(), "break")
		}
	case *ast.ReturnStmt:
		if len(n.Results) == 0 {
			return
		}
		last := n.Results[len(n.Results)-1]
		if s := text(last); s == "err" || strings.HasPrefix(s, "fmt.Errorf(") ||
			strings.HasPrefix(s, "errors.New(") {
			add("lost error", last.Pos(), last.End(), "nil")
		}
	}
}

// shown is the place with the lines before and after the change.
func (p place) shown(source string) place {
	begin := strings.LastIndexByte(source[:p.from], '\n') + 1
	line := func(s string) string {
		first, _, _ := strings.Cut(s, "\n")
		return strings.TrimSpace(first)
	}
	p.lineBefore, p.lineAfter = line(source[begin:]), line(source[begin:p.from]+p.text+source[p.to:])
	return p
}

// report prints a change and how it ended.
func (p place) report(o outcome, by string) {
	if o == broken {
		return
	}
	name := p.file
	if here, err := os.Getwd(); err == nil {
		if short, err := filepath.Rel(here, p.file); err == nil {
			name = short
		}
	}
	fmt.Printf("%s%s: %s:%d: %s\n", o, by, name, p.line, p.kind)
	if o != noticed {
		fmt.Printf("\t- %s\n\t+ %s\n", p.lineBefore, p.lineAfter)
	}
}
