package commandline

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"antipode/sphere/must"
)

// A shell reads a quoted text as the text itself, whatever characters it has; letters, digits and some signs
// need no quotes.
func TestShellWord(t *testing.T) {
	const plain = "abcxyzABCXYZ0189+-_.,:/=@%"
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	texts := []string{"", "it's", "a b", "β", "$HOME", "a\nb", "''", `\`}
	for c := rune(0x20); c < 0x7F; c++ {
		texts = append(texts, string(c))
		quoted := ShellWord(string(c)) != string(c)
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
		if quoted == (letter || strings.ContainsRune(plain, c)) {
			t.Errorf("%q is quoted: %v", c, quoted)
		}
	}
	var words []string
	for _, text := range texts {
		words = append(words, ShellWord(text))
	}
	out := must.Get(exec.Command(shell, "-c", `for w in "$@"; do :; done; printf '%s\001' `+
		strings.Join(words, " ")).Output())(t)
	if got, want := string(out), strings.Join(texts, "\x01")+"\x01"; got != want {
		t.Errorf("the shell reads %q, want %q", got, want)
	}
}

// The command has switches without a value if they are on, the file of the rows last, and no name that is not
// a parameter.
func TestLine(t *testing.T) {
	for want, s := range map[string]Setting{
		"antipode phase --dim 4 --beta '0.5 1' --out 'a b.arrow'": {"phase",
			map[string]string{"dim": "4", "beta": "0.5 1", "nothing": "1"}, false},
		"antipode evolve --log-time --paper --out t": {"evolve", map[string]string{"log-time": "true"}, true},
		"antipode evolve --log-time=false --out t": {"evolve",
			map[string]string{"log-time": "false"}, false},
		"antipode measure --beta 2 --out t -- 'my states.npy'": {"measure",
			map[string]string{"file": "my states.npy", "beta": "2"}, false},
		"antipode none --out t": {"none", map[string]string{"dim": "4"}, false},
	} {
		out := "t"
		if strings.Contains(want, "a b") {
			out = "a b.arrow"
		}
		if got := s.Line(out); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// A file of arguments that is missing, is no list of texts or is null is an error that names it.
func TestFilesThatAreNoArguments(t *testing.T) {
	folder := t.TempDir()
	missing := "@" + filepath.Join(folder, "missing")
	for text, want := range map[string]string{missing: "must be a file with the arguments",
		"@" + folder: "must be a file with the arguments", "@file.go": "must be a JSON list of texts"} {
		words, err := WithFile([]string{"antipode", "phase", text})
		if words != nil || err == nil || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), text) {
			t.Errorf("%s: %q, %v", text, words, err)
		}
	}
	for _, words := range [][]string{nil, {"antipode"}, {"antipode", "phase"}, {"antipode", "@x"}} {
		if got, err := WithFile(words); err != nil || len(got) != len(words) {
			t.Errorf("%q: %q, %v", words, got, err)
		}
	}
}
