package static

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
)

// Browsers do not load JavaScript modules from files on a disk. All modules of the page are therefore
// combined into one script, in which each module becomes a function that returns the exports of the module.
// The function of a module is called after the functions of the modules that it imports.

var (
	importLine = regexp.MustCompile(`(?ms)^import (\{[^}]*\}|\* as \w+) from '\./([\w.]+)';\n`)
	exportLine = regexp.MustCompile(`(?m)^export ((?:async )?function|class|const) (\w+)`)
	leftOver   = regexp.MustCompile(`(?m)^(import|export)\b.*`)
)

// bundle combines the JavaScript module main and all modules that it imports, directly or indirectly, into
// one script. The map instead holds, by the names of modules, texts that replace these modules.
func bundle(files fs.FS, main string, instead map[string]string) (string, error) {
	b := &bundler{files: files, instead: instead, done: map[string]bool{}}
	if err := b.add(main); err != nil {
		return "", err
	}
	return "'use strict';\n(async () => {\n" + b.script.String() + "})();\n", nil
}

type bundler struct {
	files   fs.FS
	instead map[string]string
	done    map[string]bool
	script  strings.Builder
}

// add adds a JavaScript module to the script, after the modules that it imports.
func (b *bundler) add(name string) error {
	if b.done[name] {
		return nil
	}
	b.done[name] = true
	text, is := b.instead[name]
	if !is {
		content, err := fs.ReadFile(b.files, name)
		if err != nil {
			return err
		}
		text = string(content)
	}
	for _, found := range importLine.FindAllStringSubmatch(text, -1) {
		if err := b.add(found[2]); err != nil {
			return err
		}
	}
	text = importLine.ReplaceAllStringFunc(text, func(line string) string {
		found := importLine.FindStringSubmatch(line)
		return fmt.Sprintf("const %s = %s;\n", strings.TrimPrefix(found[1], "* as "), variable(found[2]))
	})
	var exports []string
	for _, found := range exportLine.FindAllStringSubmatch(text, -1) {
		exports = append(exports, found[2])
	}
	text = exportLine.ReplaceAllString(text, "$1 $2")
	if line := leftOver.FindString(text); line != "" {
		return fmt.Errorf("%s: %q cannot be put into one script", name, line)
	}
	fmt.Fprintf(&b.script, "const %s = await (async () => {\n%sreturn { %s };\n})();\n", variable(name), text,
		strings.Join(exports, ", "))
	return nil
}

// variable returns the name of the JavaScript variable that holds the exports of a module.
func variable(name string) string { return "module_" + strings.TrimSuffix(name, ".js") }

// textModule returns the source of a JavaScript module that exports a text under a name.
func textModule(name, text string) string {
	quoted, err := json.Marshal(text) // a JSON string is also a JavaScript string
	if err != nil {
		panic(err) // impossible: every text has a JSON form
	}
	return fmt.Sprintf("export const %s = %s;\n", name, quoted)
}
