package static

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"antipode/sphere/must"
)

// Each module becomes one function, in the order in which modules need each other, and a module can be
// replaced by another; statements that the bundler does not support are errors.
func TestBundle(t *testing.T) {
	files := fstest.MapFS{
		"main.js": {Data: []byte("import { one } from './one.js';\nimport * as two from './two.js';\n" +
			"one(two.x);\n")},
		"one.js": {Data: []byte("import {\n  x,\n} from './two.js';\nexport function one() {}\n" +
			"export class C {}\n")},
		"two.js":   {Data: []byte("export const x = 1;\n")},
		"wrong.js": {Data: []byte("export default 1;\n")},
	}
	const want = `'use strict';
(async () => {
const module_two = await (async () => {
const x = 2;
return { x };
})();
const module_one = await (async () => {
const {
  x,
} = module_two;
function one() {}
class C {}
return { one, C };
})();
const module_main = await (async () => {
const { one } = module_one;
const two = module_two;
one(two.x);
return {  };
})();
})();
`
	got, err := bundle(files, "main.js", map[string]string{"two.js": "export const x = 2;\n"})
	if err != nil || got != want {
		t.Errorf("%v\n%s", err, got)
	}
	if _, err := bundle(files, "wrong.js", nil); err == nil ||
		err.Error() != `wrong.js: "export default 1;" cannot be put into one script` {
		t.Error(err)
	}
	if _, err := bundle(files, "missing.js", nil); err == nil {
		t.Error("a module that is not there")
	}
}

// A folder that contains any other file is refused, and not changed.
func TestFolders(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"page.js", "index.html"} {
		must.Do(t, os.WriteFile(filepath.Join(folder, name), []byte("old"), 0o666))
	}
	if err := check(folder); err != nil {
		t.Errorf("an older page: %v", err)
	}
	if err := check(filepath.Join(folder, "new")); err != nil {
		t.Errorf("no folder yet: %v", err)
	}
	must.Do(t, os.WriteFile(filepath.Join(folder, "thesis.tex"), nil, 0o666))
	err := Write(folder, nil)
	if err == nil || !strings.HasSuffix(err.Error(),
		"has thesis.tex in it; must be a folder that is empty, an older page, or not there yet") {
		t.Error(err)
	}
	if content, err := os.ReadFile(filepath.Join(folder, "page.js")); err != nil || string(content) != "old" {
		t.Errorf("%s, %v", content, err)
	}
	if err := Write(filepath.Join(folder, "page.js"), nil); err == nil {
		t.Error("a file in place of a folder")
	}
}

// A page without the places for style and script is refused.
func TestStandaloneOfAnotherPage(t *testing.T) {
	if page, err := standalone([]byte("<p>")); err == nil {
		t.Errorf("%q", page)
	}
}
