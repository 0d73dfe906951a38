package data

import (
	"encoding/binary"
	"iter"
)

// flatbuffer reads the tables (in the Flatbuffers format) in which Arrow describes a file. A flatbuffer never
// reads outside its bytes. Damage is stored in the field damaged and not returned: after damage is found
// everything reads as zero, so that a caller has to check for damage only once, at the end.
type flatbuffer struct {
	bytes   []byte
	damaged bool
	// budget is the number of bytes that may still be read. An ordinary file stores nothing twice. In a
	// malicious file, a thousand entries can refer to the same long string, or a table can refer to itself.
	budget int
}

func newFlatbuffer(bytes []byte) *flatbuffer {
	return &flatbuffer{bytes: bytes, budget: 2*len(bytes) + 1024}
}

// span returns f.bytes[from:from+length]. If from or length is out of range, span returns zeros and records
// damage.
func (f *flatbuffer) span(from, length int) []byte {
	if f.damaged || from < 0 || length < 0 || from > len(f.bytes)-length {
		f.damaged = true
		return make([]byte, 8)
	}
	return f.bytes[from : from+length]
}

func (f *flatbuffer) spend(cost int) {
	f.budget -= cost
	if f.budget < 0 {
		f.damaged = true
	}
}

func (f *flatbuffer) uint16(at int) int  { return int(binary.LittleEndian.Uint16(f.span(at, 2))) }
func (f *flatbuffer) uint32(at int) int  { return int(binary.LittleEndian.Uint32(f.span(at, 4))) }
func (f *flatbuffer) int64(at int) int64 { return int64(binary.LittleEndian.Uint64(f.span(at, 8))) }

// flatTable is one table of a flatbuffer. At its position a table refers to a list with the place of each of
// its fields.
type flatTable struct {
	*flatbuffer
	position int
	fields   int // position of the list with the places of the fields
}

func (f *flatbuffer) root() flatTable {
	return f.tableAt(0)
}

// tableAt returns the table to which the reference at the position at leads.
func (f *flatbuffer) tableAt(at int) flatTable {
	position := at + f.uint32(at)
	fields := position - int(int32(f.uint32(position)))
	f.span(fields, f.uint16(fields))
	f.spend(4)
	return flatTable{f, position, fields}
}

// field returns the position of the field with an index and a size in bytes, or -1 if the table does not have
// the field.
func (t flatTable) field(index, size int) int {
	entry := 4 + 2*index
	if entry+2 > t.uint16(t.fields) {
		return -1
	}
	offset := t.uint16(t.fields + entry)
	if offset == 0 {
		return -1
	}
	t.span(t.position+offset, size)
	return t.position + offset
}

// number returns an integer field of 1, 2, 4 or 8 bytes, or 0 if the table does not have the field; 0 is the
// default of every field that package data reads.
func (t flatTable) number(index, size int) int64 {
	at := t.field(index, size)
	if at < 0 {
		return 0
	}
	switch size {
	case 1:
		return int64(int8(t.span(at, 1)[0]))
	case 2:
		return int64(int16(t.uint16(at)))
	case 4:
		return int64(int32(t.uint32(at)))
	default:
		return t.int64(at)
	}
}

// table returns a field that is itself a table, and whether the field exists.
func (t flatTable) table(index int) (flatTable, bool) {
	at := t.field(index, 4)
	if at < 0 {
		return flatTable{}, false
	}
	return t.tableAt(at), !t.damaged
}

// vector returns the position of the first element and the number of elements of a field that is a vector.
// Both results are 0 if the table does not have the field.
func (t flatTable) vector(index, elementSize int) (first, count int) {
	at := t.field(index, 4)
	if at < 0 {
		return 0, 0
	}
	start := at + t.uint32(at)
	count = t.uint32(start)
	first = start + 4
	t.span(first, count*elementSize)
	t.spend(count * elementSize)
	if t.damaged {
		return 0, 0
	}
	return first, count
}

// tables yields the tables of a field that is a vector of tables.
func (t flatTable) tables(index int) iter.Seq[flatTable] {
	return func(yield func(flatTable) bool) {
		first, count := t.vector(index, 4)
		for i := 0; i < count; i++ {
			if element := t.tableAt(first + 4*i); t.damaged || !yield(element) {
				return
			}
		}
	}
}

// text returns a field that is a string, or "" if the table does not have the field.
func (t flatTable) text(index int) string {
	first, count := t.vector(index, 1)
	if count == 0 {
		return ""
	}
	return string(t.span(first, count))
}
