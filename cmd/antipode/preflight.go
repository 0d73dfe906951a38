package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"antipode/data"
	"antipode/data/durable"
	"antipode/experiments/run"
	"antipode/experiments/wording"
	"antipode/internal/lists"
)

// preflight checks the needs of a run before any work is done. preflight refuses a run for which the disk has
// too little free space, and announces a large run. The bytes that an unfinished run has already written are
// subtracted from the needs.
func preflight(tables []*openTable, needs run.Needs) error {
	r, names := tables[0], make([]string, len(tables))
	bytes, err := needs.Bytes(lists.Map(tables, func(t *openTable) data.Schema { return t.schema() })...)
	if err != nil {
		return err
	}
	for k, table := range tables {
		names[k] = table.tableName()
		if info, err := os.Stat(partialName(names[k])); err == nil {
			bytes = max(0, bytes-float64(info.Size()))
		}
	}
	r.log.Info("preflight", "rows", needs.Rows, "bytes", bytes, "seconds", needs.Seconds)
	free, known := durable.FreeBytes(filepath.Dir(r.out))
	if known && bytes > free {
		return fmt.Errorf("the run may write %s to %s and beside it, where %s are free",
			wording.Bytes(bytes), strings.Join(names, " and "), wording.Bytes(free))
	}
	const large = 1e9 // bytes
	if bytes > large {
		rows := ""
		if needs.Rows > 0 {
			rows = fmt.Sprintf("%.0f rows; ", needs.Rows)
		}
		r.notice(fmt.Sprintf("%sthis run may write %s, of which %s until its end, and take %s", rows,
			wording.Bytes(bytes), beside(names, needs.Kept), run.InWords(needs.Seconds)))
	}
	return nil
}

// beside returns a text that says how many bytes of finished work will be next to the tables until the tables
// are complete.
func beside(tables []string, kept float64) string {
	names := lists.Map(tables, partialName)
	return fmt.Sprintf("%s in %s", wording.Bytes(kept), strings.Join(names, " and "))
}
