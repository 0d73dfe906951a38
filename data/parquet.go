//go:build !js

package data

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"antipode/data/durable"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/metadata"
	"github.com/apache/arrow/go/v15/parquet/schema"
)

// Package data writes the columns of a Parquet file one by one. Package data does not use Arrow's package
// pqarrow, because with pqarrow the program would contain all of gRPC.

// arrowKey is the metadata key under which Parquet files of Arrow contain their Arrow schema, from which
// readers restore labels and vectors.
const arrowKey = "ARROW:schema"

// WriteParquet writes the rows that Next has not returned yet as a Parquet file, compressed by Snappy. Labels
// are texts that Arrow's readers restore to categories, vectors are lists, and null is null. The metadata of
// the Parquet file are the metadata of the table. A row group of the Parquet file is a batch of rows. The
// errors of WriteParquet are errors of Next and of w.
func (r *Reader) WriteParquet(w io.Writer) error {
	pairs, err := r.schema.parquetMetadata()
	if err != nil {
		return err
	}
	var fields schema.FieldList
	for _, column := range r.schema.Columns {
		field, err := column.parquetNode()
		if err != nil {
			return fmt.Errorf("column %q: %w", column.Name, err)
		}
		fields = append(fields, field)
	}
	root, err := schema.NewGroupNode("schema", parquet.Repetitions.Required, fields, -1)
	if err != nil {
		return err
	}
	kept := &errorKeeper{to: w}
	out := file.NewParquetWriter(kept, root, file.WithWriteMetadata(pairs), file.WithWriterProps(
		parquet.NewWriterProperties(parquet.WithCompression(compress.Codecs.Snappy))))
	err = r.each(-1, func(table *Table) error {
		group := out.AppendRowGroup()
		for i, column := range r.schema.Columns {
			chunk, err := group.NextColumn()
			if err == nil {
				err = durable.Join(column.writeParquet(chunk, table.Columns[i]), chunk.Close())
			}
			if err != nil {
				return err
			}
		}
		return durable.Join(group.Close(), kept.err)
	})
	err = cmp.Or(err, out.Close())
	return cmp.Or(err, kept.err)
}

// errorKeeper is an io.Writer that stores the first error of writing and reports no error to Parquet's
// writer, which would panic.
type errorKeeper struct {
	to  io.Writer
	err error
}

func (k *errorKeeper) Write(p []byte) (int, error) {
	if k.err == nil {
		_, k.err = k.to.Write(p)
	}
	return len(p), nil
}

// parquetMetadata returns the metadata of the schema for a Parquet file, together with the schema itself in
// Arrow's form.
func (s Schema) parquetMetadata() (metadata.KeyValueMetadata, error) {
	described := newEncoder(s).schema
	var message bytes.Buffer
	stream := ipc.NewWriter(&message, ipc.WithSchema(described))
	if err := stream.Close(); err != nil {
		return nil, err
	}
	const endOfStream = 8 // length in bytes of the end mark of an Arrow stream
	pairs := metadata.NewKeyValueMetadata()
	own := described.Metadata()
	return pairs, errors.Join(
		appendPairs(&pairs, own.Keys(), own.Values()), pairs.Append(arrowKey,
			base64.StdEncoding.EncodeToString(message.Bytes()[:message.Len()-endOfStream])))
}

func appendPairs(pairs *metadata.KeyValueMetadata, keys, values []string) error {
	for i, key := range keys {
		if err := pairs.Append(key, values[i]); err != nil {
			return err
		}
	}
	return nil
}

// parquetNode returns the description of the column for Parquet. Only values of a Nullable column, labels and
// texts may be null.
func (c Column) parquetNode() (schema.Node, error) {
	required := parquet.Repetitions.Required
	switch c.Kind {
	case Int32:
		return schema.NewInt32Node(c.Name, required, -1), nil
	case Int64:
		return schema.NewInt64Node(c.Name, required, -1), nil
	case Label, Text:
		return schema.NewPrimitiveNodeLogical(c.Name, parquet.Repetitions.Optional,
			schema.StringLogicalType{},
			parquet.Types.ByteArray, 0, -1)
	case Vector:
		return schema.ListOfWithName(c.Name, schema.NewFloat64Node("element", required, -1), required, -1)
	}
	if c.Nullable {
		return schema.NewFloat64Node(c.Name, parquet.Repetitions.Optional, -1), nil
	}
	return schema.NewFloat64Node(c.Name, required, -1), nil
}

// writeParquet writes the values of the column in a row group of a Parquet file.
func (c Column) writeParquet(chunk file.ColumnChunkWriter, values Values) (err error) {
	switch chunk := chunk.(type) {
	case *file.Int32ColumnChunkWriter:
		_, err = chunk.WriteBatch(values.(Slice[int32]), nil, nil)
	case *file.Int64ColumnChunkWriter:
		_, err = chunk.WriteBatch(values.(Slice[int64]), nil, nil)
	case *file.ByteArrayColumnChunkWriter:
		if codes, ok := values.(Slice[int8]); ok && len(codes) > 0 && slices.Min(codes) >= 0 {
			return c.writeLabels(chunk, codes)
		}
		texts, levels := c.parquetTexts(values)
		_, err = chunk.WriteBatch(texts, levels, nil)
	case *file.Float64ColumnChunkWriter:
		numbers := values.(Slice[float64])
		switch {
		case c.Kind == Vector:
			_, err = chunk.WriteBatch(numbers, slices.Repeat([]int16{1}, len(numbers)),
				c.repetitions(len(numbers)))
		case c.Nullable:
			valid, levels := withoutNulls(numbers)
			_, err = chunk.WriteBatch(valid, levels, nil)
		default:
			_, err = chunk.WriteBatch(numbers, nil, nil)
		}
	}
	return err
}

// writeLabels writes the codes of labels and the list of all labels of the column, including labels that do
// not occur.
func (c Column) writeLabels(chunk *file.ByteArrayColumnChunkWriter, codes []int8) error {
	labels := chunk.CurrentEncoder().(interface{ PutDictionary(arrow.Array) error })
	if err := labels.PutDictionary(labelDictionary(c.Labels)); err != nil {
		return err
	}
	indices := wrap(arrow.PrimitiveTypes.Int8, arrow.Int8Traits.CastToBytes(codes), len(codes))
	return chunk.WriteDictIndices(indices, slices.Repeat([]int16{1}, len(codes)), nil)
}

// parquetTexts returns the texts of a column that are not null, and a definition level for each row: 0 for
// null, and otherwise 1.
func (c Column) parquetTexts(values Values) (texts []parquet.ByteArray, levels []int16) {
	for row := range values.Len() {
		codes, isLabel := values.(Slice[int8])
		if isLabel && codes[row] < 0 {
			levels = append(levels, 0)
			continue
		}
		texts, levels = append(texts, parquet.ByteArray(c.csv(values, row))), append(levels, 1)
	}
	return texts, levels
}

// repetitions returns a repetition level for each item of the vectors of a column: 0 for the first item of a
// vector, and otherwise 1.
func (c Column) repetitions(numbers int) []int16 {
	levels := slices.Repeat([]int16{1}, numbers)
	for k := 0; k < numbers; k += c.Length {
		levels[k] = 0
	}
	return levels
}

// withoutNulls returns the numbers that are not null (NaN), and a definition level for each row: 0 for null,
// and otherwise 1.
func withoutNulls(numbers []float64) (valid []float64, levels []int16) {
	valid, levels = make([]float64, 0, len(numbers)), make([]int16, len(numbers))
	for k, x := range numbers {
		if !math.IsNaN(x) {
			valid, levels[k] = append(valid, x), 1
		}
	}
	return valid, levels
}

// IsWholeParquet reports, as IsWhole does, whether the file at path is a complete table of the schema, for a
// file that WriteParquet wrote and that a Replacement gave its final name. IsWholeParquet compares the
// metadata, not the rows.
func IsWholeParquet(path string, schema Schema) (whole bool, err error) {
	pairs, err := schema.parquetMetadata()
	if err != nil {
		return false, err
	}
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false, nil
	}
	content, err := durable.Open(path)
	if err != nil {
		return false, err
	}
	defer content.Close()
	defer func() {
		if recover() != nil { // the library panics at some files that are not Parquet
			whole = false
		}
	}()
	reader, err := file.NewParquetReader(content)
	if err != nil {
		return false, nil // path is not a Parquet file
	}
	there := reader.MetaData().KeyValueMetadata()
	if there.FindValue(KeyCommand) == nil { // path is a file of another program
		return false, nil
	}
	if !there.Equals(pairs) {
		return false, &OtherRunError{path, entriesOf(there)}
	}
	return true, nil
}

// entriesOf returns the metadata entries of a schema from the metadata of a Parquet file, without the entries
// that parquetMetadata adds.
func entriesOf(pairs metadata.KeyValueMetadata) (entries []Entry) {
	for _, pair := range pairs {
		if pair.Key != pandasKey && pair.Key != arrowKey && pair.Value != nil {
			entries = append(entries, Entry{pair.Key, *pair.Value})
		}
	}
	return entries
}
