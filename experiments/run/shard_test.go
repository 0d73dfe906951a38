package run

import "testing"

// FuzzShard parses shard specifications: what is accepted is a valid shard, and is the same after formatting
// and parsing it.
func FuzzShard(f *testing.F) {
	for _, text := range []string{"0/1", "3/4", "99999/100000", "4/4", "1", "/", "-1/2", "0x1/2", "00/1",
		"1/2/3", "٠/2"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		part, err := ParseShard(text)
		if err != nil {
			return
		}
		if part.Validate() != nil || part.Of < 1 || part.Of > MostShards {
			t.Errorf("%q is read as %v", text, part)
		}
		if again, err := ParseShard(FormatShard(part)); err != nil || again != part {
			t.Errorf("%v reads back as %v, %v", part, again, err)
		}
	})
}
