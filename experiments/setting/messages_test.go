package setting

import (
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"antipode/data"
	"antipode/experiments/wording"
	"antipode/sphere/must"
)

// A message says what is wrong with a file and what it must have, and is short enough not to be abbreviated.
func TestMessagesOnWrongFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	table := data.NewTable(data.Schema{Columns: []data.Column{{Name: "beta", Kind: data.Float64}}})
	must.Do(t, data.WriteFile("a-table-of-another-command.arrow", table))
	must.Do(t, os.WriteFile("a-matrix-of-an-earlier-run.txt", []byte("first,second\n1,2\n"),
		0o666))
	for given, parse := range map[string]func(text string) error{
		"--start a-table-of-another-command.arrow": func(text string) error {
			_, err := ParseStart(text)
			return err
		},
		"--interaction a-matrix-of-an-earlier-run.txt": func(text string) error {
			_, err := ParseInteraction(text)
			return err
		},
	} {
		_, name, _ := strings.Cut(given, " ")
		err := parse(name)
		if err == nil {
			t.Fatalf("%s is accepted", name)
		}
		message := "antipode: " + given + ": " + err.Error()
		if n := utf8.RuneCountInString(message); n > wording.MessageColumns {
			t.Errorf("%d columns: %s", n, message)
		}
	}
}
