package data

import (
	"encoding/binary"
	"testing"
)

// words returns 32-bit numbers as bytes.
func words(numbers ...uint32) []byte {
	var content []byte
	for _, n := range numbers {
		content = binary.LittleEndian.AppendUint32(content, n)
	}
	return content
}

func TestFlatbufferFields(t *testing.T) {
	// A table at 12 whose list of fields, at 4, has two entries: field 0 at
	// 12+4, field 1 left out.
	content := words(12, 8|12<<16, 4|0<<16, 8, 0xFFFFFFFE, 0xFFFFFFFF)
	root := newFlatbuffer(content).root()
	if got := root.number(0, 4); got != -2 {
		t.Errorf("4 bytes: %d", got)
	}
	if got := root.number(0, 1); got != -2 {
		t.Errorf("1 byte: %d", got)
	}
	if got := root.number(0, 2); got != -2 {
		t.Errorf("2 bytes: %d", got)
	}
	if got := root.number(0, 8); got != -2 {
		t.Errorf("8 bytes: %d", got)
	}
	if root.number(1, 8) != 0 || root.number(2, 8) != 0 || root.number(1000, 8) != 0 {
		t.Error("a field that is left out is not 0")
	}
	if _, ok := root.table(1); ok || root.text(1) != "" || root.damaged {
		t.Error("a table or text that is left out is there")
	}
}

func TestFlatbufferDamage(t *testing.T) {
	for name, content := range map[string][]byte{
		"nothing":                {},
		"three bytes":            {1, 0, 0},
		"root outside":           words(100),
		"root at the top":        words(0xFFFFFFFF),
		"fields before the file": words(4, 100),
		"fields after the file":  words(4, 0x80000000),
		"fields too long":        words(4, 0xFFFFFFFC, 4096),
	} {
		if root := newFlatbuffer(content).root(); !root.damaged {
			t.Errorf("%s: not noticed", name)
		}
	}
	for name, read := range map[string]func(flatTable){
		"number": func(r flatTable) { r.number(0, 8) },
		"table":  func(r flatTable) { r.table(0) },
		"vector": func(r flatTable) { r.vector(0, 1) },
		"text":   func(r flatTable) { r.text(0) },
		"tables": func(r flatTable) {
			for range r.tables(0) {
			}
		},
	} {
		root := newFlatbuffer(words(12, 6|8<<16, 4, 8, 0x7FFFFFFF)).root() // field 0 at 16
		if root.damaged {
			t.Fatal("the table itself is damaged")
		}
		read(root)
		if !root.damaged {
			t.Errorf("%s outside the bytes is not noticed", name)
		}
	}
}

// A vector of references that all lead to one table, which is longer read than
// stored.
func TestFlatbufferBudget(t *testing.T) {
	text := make([]byte, 1000)
	content := append(words(12, 6|8<<16, 4, 8, 4, 100), make([]byte, 400)...)
	shared := len(content)
	for i := range 100 {
		at := 24 + 4*i
		binary.LittleEndian.PutUint32(content[at:], uint32(shared+8-at))
	}
	content = append(content, words(6|8<<16, 4, 8, 4, uint32(len(text)))...)
	content = append(content, text...)
	root := newFlatbuffer(content).root()
	visited := 0
	for table := range root.tables(0) {
		if table.text(0) != "" {
			visited++
		}
	}
	if visited < 2 || visited > 4 || !root.damaged {
		t.Errorf("a text of %d bytes in %d was read %d times", len(text), len(content), visited)
	}
}
