package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// place is a change of a file. It replaces the text of a syntax node by a text with the change behind a
// switch.
type place struct {
	pack       *pack
	file       string // path of the file
	kind       string
	from, to   int    // first byte of the text in the file, and the byte after it
	text       string // the new text, with mark in place of the number of the switch
	name       string // name of the constant that becomes a variable; "" if there is none
	after      string // text to be added at the end of the file
	line       int
	lineBefore string
	lineAfter  string

	number int
	tests  []*test // tests that execute the change
}

// placesOf returns the places in the files of a package, without generated files.
func placesOf(p *pack) (places []*place, err error) {
	paths := make([]string, 0, len(p.files))
	for path, file := range p.files {
		if !ast.IsGenerated(file.tree) {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	for _, path := range paths {
		c := collector{pack: p, file: p.files[path]}
		ast.Inspect(c.file.tree, func(n ast.Node) bool {
			if n == nil {
				c.parents = c.parents[:len(c.parents)-1]
				return false
			}
			if declaration, ok := n.(*ast.GenDecl); ok && declaration.Tok == token.IMPORT {
				return false
			}
			c.collect(n)
			c.parents = append(c.parents, n)
			return true
		})
		places = append(places, c.places...)
	}
	return places, nil
}

// other maps an operator to the operator that replaces it.
var other = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LAND: token.LOR, token.LOR: token.LAND,
	token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL,
	token.REM: token.MUL, token.SHL: token.SHR, token.SHR: token.SHL,
	token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN,
	token.MUL_ASSIGN: token.QUO_ASSIGN, token.QUO_ASSIGN: token.MUL_ASSIGN,
	token.INC: token.DEC, token.DEC: token.INC,
}

// collector collects the places in a file.
type collector struct {
	pack    *pack
	file    *source
	parents []ast.Node // ancestors of the current node, the file first
	places  []*place
}

// of returns the text of a node on one line.
func (c *collector) of(n ast.Node) string {
	return c.file.text[c.offset(n.Pos()):c.offset(n.End())]
}

func (c *collector) offset(p token.Pos) int { return c.pack.set.Position(p).Offset }

// mark stands for the number of the switch in the text of a place.
const mark = "§"

// add adds a change of the text of a node. In the new text, mark stands for the number of the switch.
func (c *collector) add(kind string, n ast.Node, at token.Pos, plain, text string) *place {
	p := &place{pack: c.pack, file: c.file.path, kind: kind, from: c.offset(n.Pos()), to: c.offset(n.End()),
		text: text, line: c.pack.set.Position(at).Line}
	begin := strings.LastIndexByte(c.file.text[:p.from], '\n') + 1
	end := len(c.file.text)
	if length := strings.IndexByte(c.file.text[p.to:], '\n'); length >= 0 {
		end = p.to + length
	}
	p.lineBefore = strings.TrimSpace(c.file.text[begin:end])
	p.lineAfter = strings.TrimSpace(c.file.text[begin:p.from] + plain + c.file.text[p.to:end])
	c.places = append(c.places, p)
	return p
}

// collect adds the changes that are possible at a node.
func (c *collector) collect(n ast.Node) {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		c.binary(n)
	case *ast.BasicLit:
		c.literal(n)
	case *ast.IncDecStmt:
		if !c.isAlone() {
			return
		}
		with := other[n.Tok].String()
		c.add("operator", n, n.TokPos, c.of(n.X)+with,
			"if switched.On(§) { "+c.of(n.X)+with+" } else { "+c.of(n)+" }")
		c.drop(n)
	case *ast.ExprStmt:
		if c.isAlone() && !strings.HasPrefix(c.of(n), "panic(") {
			c.drop(n)
		}
	case *ast.AssignStmt:
		if n.Tok == token.DEFINE || !c.isAlone() {
			return
		}
		if op, ok := other[n.Tok]; ok {
			with := c.of(n.Lhs[0]) + " " + op.String() + " " + c.of(n.Rhs[0])
			c.add("operator", n, n.TokPos, with, "if switched.On(§) { "+with+" } else { "+c.of(n)+" }")
		}
		c.drop(n)
	case *ast.IfStmt:
		text := c.of(n.Cond)
		c.add("swapped branches", n.Cond, n.Cond.Pos(), "!("+text+")", "("+text+") != switched.On(§)")
	case *ast.BranchStmt:
		if n.Label == nil && n.Tok == token.CONTINUE {
			c.add("loop", n, n.Pos(), "break", "if switched.On(§) { break }; continue")
		}
	case *ast.ReturnStmt:
		if len(n.Results) == 0 {
			return
		}
		last := n.Results[len(n.Results)-1]
		if s := c.of(last); s == "err" || strings.HasPrefix(s, "fmt.Errorf(") ||
			strings.HasPrefix(s, "errors.New(") {
			c.add("lost error", last, last.Pos(), "nil", "switched.Error(§, "+s+")")
		}
	}
}

// isAlone reports whether the current node is a statement of a block, not a part of another statement.
func (c *collector) isAlone() bool {
	switch c.parents[len(c.parents)-1].(type) {
	case *ast.BlockStmt, *ast.CaseClause:
		return true
	}
	return false
}

func (c *collector) drop(n ast.Stmt) {
	c.add("dropped statement", n, n.Pos(), "{}", "if !switched.On(§) { "+c.of(n)+" }")
}

// functions maps an operator to the function that computes it or its replacement, depending on a switch.
var functions = map[token.Token]string{
	token.ADD: "Add", token.SUB: "Subtract", token.MUL: "Multiply", token.QUO: "Divide",
	token.REM: "Remainder", token.SHL: "Left", token.SHR: "Right",
}

// binary adds the change of a binary operator.
func (c *collector) binary(n *ast.BinaryExpr) {
	op, ok := other[n.Op]
	if !ok {
		return
	}
	x, y := c.of(n.X), c.of(n.Y)
	plain := x + " " + op.String() + " " + y
	switch value := c.pack.info.Types[n]; {
	case functions[n.Op] != "" && !isNumeric(value.Type): // of texts
	case value.Value != nil:
		c.constant("operator", n, n.OpPos, plain)
	case functions[n.Op] == "":
		c.add("operator", n, n.OpPos, plain, "(switched.On(§) && ("+plain+
			") || !switched.On(§) && ("+c.of(n)+"))")
	default:
		arguments := ""
		if x := c.pack.info.Types[n.X]; (n.Op == token.SHL || n.Op == token.SHR) && x.Value != nil {
			arguments = "[" + c.name(value.Type) + "]"
		}
		c.add("operator", n, n.OpPos, plain, "switched."+functions[n.Op]+arguments+"(§, "+x+", "+y+")")
	}
}

func isNumeric(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsNumeric != 0
}

// name returns the name of a type as it is written in the file.
func (c *collector) name(t types.Type) string {
	return types.TypeString(types.Default(t), func(p *types.Package) string {
		if p.Path() == c.pack.ImportPath {
			return ""
		}
		return p.Name()
	})
}

// literal adds the change of a number.
func (c *collector) literal(n *ast.BasicLit) {
	switch n.Kind {
	case token.INT:
		c.constant("constant", n, n.Pos(), "("+n.Value+"+1)")
	case token.FLOAT:
		c.constant("constant", n, n.Pos(), "(2*"+n.Value+")")
	}
}

// constant adds a change within a constant expression. The switch chooses between two values of the entire
// expression, because the compiler's arithmetic of constants is exact. A declared constant becomes a variable
// at the end of the file.
func (c *collector) constant(kind string, n ast.Expr, at token.Pos, plain string) {
	largest := n
	k := len(c.parents) - 1
	for ; k >= 0; k-- {
		parent, ok := c.parents[k].(ast.Expr)
		if !ok || c.pack.info.Types[parent].Value == nil {
			break
		}
		largest = parent
	}
	whole := c.file.text[c.offset(largest.Pos()):c.offset(n.Pos())] + plain +
		c.file.text[c.offset(n.End()):c.offset(largest.End())]
	either := func(t types.Type) string {
		return "switched.Either[" + c.name(t) + "](§, " + c.of(largest) + ", " + whole + ")"
	}
	spec, constants := c.constantOf(k)
	if !constants {
		if t := c.pack.info.Types[largest].Type; t != nil {
			c.add(kind, largest, at, whole, either(t))
		}
		return
	}
	if spec == nil {
		return
	}
	p := c.add(kind, spec, at, "", "_ = 0")
	p.lineBefore, p.lineAfter = c.of(spec), strings.Replace(c.of(spec), c.of(largest), whole, 1)
	p.name = spec.Names[0].Name
	p.after = "\nvar " + spec.Names[0].Name + " = " + either(c.pack.info.Defs[spec.Names[0]].Type()) + "\n"
}

// constantOf returns the declaration of a constant of the package if the k-th parent is one. The declaration
// must be alone in its line, and all constants of its group must have values; otherwise spec is nil. The
// result constants reports whether the k-th parent declares constants at all.
func (c *collector) constantOf(k int) (spec *ast.ValueSpec, constants bool) {
	if k < 1 {
		return nil, false
	}
	spec, _ = c.parents[k].(*ast.ValueSpec)
	group, _ := c.parents[k-1].(*ast.GenDecl)
	if spec == nil || group == nil || group.Tok != token.CONST {
		return nil, false
	}
	if _, ok := c.parents[k-2].(*ast.File); !ok || len(spec.Names) != 1 || spec.Type != nil {
		return nil, true
	}
	for _, s := range group.Specs {
		if len(s.(*ast.ValueSpec).Values) == 0 {
			return nil, true
		}
	}
	return spec, true
}

// report prints a change and its outcome.
func (p *place) report(o outcome, by string) {
	name := p.file
	if here, err := os.Getwd(); err == nil {
		if short, err := filepath.Rel(here, p.file); err == nil {
			name = short
		}
	}
	fmt.Printf("%s%s: %s:%d: %s\n", o, by, name, p.line, p.kind)
	if o != noticed {
		fmt.Printf("\t- %s\n\t+ %s\n", strings.ReplaceAll(p.lineBefore, "\n", "\n\t  "),
			strings.ReplaceAll(p.lineAfter, "\n", "\n\t  "))
	}
}
