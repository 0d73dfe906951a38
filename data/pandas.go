package data

import (
	"bytes"
	"encoding/json"
	"strings"
)

// pandasKey is the metadata key under which pandas looks for the types of the
// columns.
const pandasKey = "pandas"

// ownLibrary is the name of the writing library in files that package data writes.
const ownLibrary = "antipode"

type pandasMetadata struct {
	// IndexColumns is empty, so that pandas numbers the rows. The number of rows is not known when the
	// metadata are written.
	IndexColumns  []string          `json:"index_columns"`
	ColumnIndexes []string          `json:"column_indexes"`
	Columns       []pandasColumn    `json:"columns"`
	Attributes    json.RawMessage   `json:"attributes"`
	Creator       map[string]string `json:"creator"`
}

type pandasColumn struct {
	Name       string            `json:"name"`
	FieldName  string            `json:"field_name"`
	PandasType string            `json:"pandas_type"`
	NumpyType  string            `json:"numpy_type"`
	Metadata   *pandasCategories `json:"metadata"`
}

type pandasCategories struct {
	Count   int  `json:"num_categories"`
	Ordered bool `json:"ordered"`
}

// pandasMetadata returns the value of the metadata key "pandas" for a table of the schema.
func (s Schema) pandasMetadata() string {
	metadata := pandasMetadata{
		IndexColumns:  []string{},
		ColumnIndexes: []string{},
		Columns:       []pandasColumn{},
		Attributes:    json.RawMessage("{}"),
		Creator:       map[string]string{"library": ownLibrary, checksMark: checksName},
	}
	if s.Attributes != "" {
		metadata.Attributes = json.RawMessage(s.Attributes)
	}
	for _, column := range s.Columns {
		metadata.Columns = append(metadata.Columns, column.pandasColumn())
	}
	text, err := json.Marshal(metadata)
	if err != nil {
		panic("data: " + err.Error()) // strings and integers always have a JSON form
	}
	return string(text)
}

// attributesOf returns text, a JSON object, without spaces, or nil if text is not a JSON object.
func attributesOf(text string) []byte {
	var object map[string]json.RawMessage
	var compact bytes.Buffer
	if json.Unmarshal([]byte(text), &object) != nil || object == nil ||
		json.Compact(&compact, []byte(text)) != nil {
		return nil
	}
	return compact.Bytes()
}

// readAttributes returns the attributes in text, the value of the metadata key "pandas", or "" without
// attributes. The value may be any text.
func readAttributes(text string) string {
	var metadata struct {
		Attributes json.RawMessage `json:"attributes"`
	}
	if json.Unmarshal([]byte(text), &metadata) != nil {
		return ""
	}
	if compact := attributesOf(string(metadata.Attributes)); string(compact) != "{}" {
		return string(compact)
	}
	return ""
}

// writtenBy returns the name of the library that wrote a file, according to text, the value of the metadata
// key "pandas", or "" if text does not name a library.
func writtenBy(text string) string {
	var metadata struct {
		Creator struct {
			Library string `json:"library"`
		} `json:"creator"`
	}
	if json.Unmarshal([]byte(text), &metadata) != nil {
		return ""
	}
	return metadata.Creator.Library
}

// restored returns the metadata of a run from the attributes of a file that pandas has written again. When
// pandas writes a table again, it preserves only the attributes, and no other metadata.
func restored(attributes string) (entries []Entry) {
	var values map[string]json.RawMessage
	if json.Unmarshal([]byte(attributes), &values) != nil {
		return nil
	}
	for _, key := range []string{KeyCommand, KeyParameters, KeySeed, KeyVersion} {
		value := values[strings.TrimPrefix(key, "antipode.")]
		var text string
		if value == nil {
			return nil
		}
		if json.Unmarshal(value, &text) != nil {
			text = string(value)
		}
		entries = append(entries, Entry{key, text})
	}
	return entries
}

func (c Column) pandasColumn() pandasColumn {
	column := pandasColumn{Name: c.Name, FieldName: c.Name, PandasType: c.Kind.String(),
		NumpyType: c.Kind.String()}
	switch c.Kind {
	case Label:
		column.PandasType, column.NumpyType = "categorical", "int8"
		column.Metadata = &pandasCategories{Count: len(c.Labels)}
	case Vector:
		column.PandasType, column.NumpyType = "list[float64]", "object"
	}
	return column
}
