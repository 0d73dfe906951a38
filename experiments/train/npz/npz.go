// Package npz writes arrays of numbers in NumPy's format .npz.
//
//	zeros := npz.Array{Name: "v", Shape: []int{2, 3}, Numbers: make([]float64, 6)}
//	err := npz.Write("weights.npz", []npz.Array{zeros})
package npz

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"

	"antipode/data/durable"
)

// Array is an array of float64 with a name, in row-major order.
type Array struct {
	Name    string
	Shape   []int // sizes of at least one dimension
	Numbers []float64
}

// Write writes arrays to a .npz file and replaces an existing file. Write creates the folder of the file if
// necessary. The file is written completely or not at all, and equal arrays give equal files.
func Write(path string, arrays []Array) error {
	if err := durable.MakeFolder(filepath.Dir(path)); err != nil {
		return err
	}
	file, err := durable.NewReplacement(path)
	if err != nil {
		return err
	}
	if err := writeTo(file, arrays); err != nil {
		return errors.Join(err, file.Abort())
	}
	return file.Commit()
}

func writeTo(w io.Writer, arrays []Array) error {
	archive := zip.NewWriter(w)
	for _, a := range arrays {
		member, err := archive.CreateHeader(&zip.FileHeader{Name: a.Name + ".npy", Method: zip.Store})
		if err != nil {
			return err
		}
		if _, err := member.Write(a.encoded()); err != nil {
			return err
		}
	}
	return archive.Close()
}

// encoded returns the array as numpy.save writes it, in version 1.0 of the format. The header is padded with
// spaces, so that the numbers after the header start at a multiple of 64 bytes.
func (a Array) encoded() []byte {
	const magic = "\x93NUMPY\x01\x00"
	shape := strings.Trim(strings.Join(strings.Fields(fmt.Sprint(a.Shape)), ", "), "[]") + ","
	header := fmt.Sprintf("{'descr': '<f8', 'fortran_order': False, 'shape': (%s), }", shape)
	for (len(magic)+2+len(header)+1)%64 != 0 {
		header += " "
	}
	header += "\n"
	out := bytes.NewBuffer(make([]byte, 0, len(magic)+2+len(header)+8*len(a.Numbers)))
	out.WriteString(magic)
	out.Write(binary.LittleEndian.AppendUint16(nil, uint16(len(header))))
	out.WriteString(header)
	for _, x := range a.Numbers {
		out.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(x)))
	}
	return out.Bytes()
}
