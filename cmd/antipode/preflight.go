package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"antipode/data/durable"
	"antipode/experiments/run"
)

// preflight looks at what a run will need before any work: it refuses one that the disk
// has no room for, and announces a large one. What an unfinished run has written already is not
// counted again.
func preflight(tables []*openTable, needs run.Needs) error {
	r, names := tables[0], make([]string, len(tables))
	for k, table := range tables {
		names[k] = table.tableName()
		if info, err := os.Stat(partialName(names[k])); err == nil {
			needs.Bytes = max(0, needs.Bytes-float64(info.Size()))
		}
	}
	r.log.Info("preflight", "rows", needs.Rows, "bytes", needs.Bytes, "seconds", needs.Seconds)
	free, known := durable.FreeBytes(filepath.Dir(r.out))
	if known && needs.Bytes > free {
		return fmt.Errorf("the run may write %s to %s and beside it, where %s are free", inBytes(needs.Bytes),
			strings.Join(names, " and "), inBytes(free))
	}
	const large = 1e9 // bytes
	if needs.Bytes > large {
		rows := ""
		if needs.Rows > 0 {
			rows = fmt.Sprintf("%.0f rows; ", needs.Rows)
		}
		r.notice(fmt.Sprintf("%sthis run may write %s, of which the table stays, and take %s", rows,
			inBytes(needs.Bytes), run.InWords(needs.Seconds)))
	}
	return nil
}

// inBytes gives an amount in the largest unit of which there is at least one.
func inBytes(n float64) string {
	for _, unit := range []struct {
		name  string
		bytes float64
	}{{"TB", 1e12}, {"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}} {
		if n >= unit.bytes {
			return fmt.Sprintf("%.3g %s", n/unit.bytes, unit.name)
		}
	}
	return fmt.Sprintf("%.0f bytes", n)
}
