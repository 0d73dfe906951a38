package measure

import (
	"encoding/binary"
	"os"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/run"
	"antipode/sphere/must"
)

// A token that is not finite is an error of the file in which it is, as it is where anything is inferred: no
// run with this file can finish, so that nothing of it is to be kept.
func TestTokensThatAreNotFinite(t *testing.T) {
	sound, broken := statesFile(t, 3, 2, 4, 5), statesFile(t, 3, 2, 4, 5)
	content := must.Get(os.ReadFile(broken))(t)
	binary.LittleEndian.PutUint16(content[len(content)-2:], 0x7E00) // NaN as a float16
	must.Do(t, os.WriteFile(broken, content, 0o666))
	const problem = "layer 2, sequence 1: token 3 is not finite"
	for name, files := range map[string][]string{"file": {broken}, "compare": {sound, broken}} {
		m := New()
		m.File, m.Compare = files[0], files[1:]
		err := m.Run(t.Context(), run.Options{Seed: 1}, data.NewTable(data.Schema{Columns: m.Columns()}))
		experimenttest.CheckRefused(t, err, name, problem)
		if err != nil && !strings.Contains(err.Error(), broken) {
			t.Errorf("%v does not name %s", err, broken)
		}
	}
}
