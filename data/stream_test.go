package data

import (
	"bytes"
	"io"
	"os"
	"testing"

	"antipode/sphere/must"

	"github.com/apache/arrow/go/v15/arrow/ipc"
)

// After its last batch a stream has an error and no batch, and a stream that is cut within a batch too.
func TestEndOfAStream(t *testing.T) {
	whole := must.Get(os.ReadFile("testdata/stream.arrow"))(t)
	for what, content := range map[string][]byte{"whole": whole, "cut": whole[:len(whole)-40]} {
		source := streamSource{must.Get(ipc.NewReader(bytes.NewReader(content)))(t)}
		var err error
		for batch := 0; err == nil && batch < 100; batch++ {
			_, err = source.RecordAt(batch)
		}
		if err == nil || what == "whole" && err != io.EOF {
			t.Errorf("%s: error %v after the last batch", what, err)
		}
	}
}
