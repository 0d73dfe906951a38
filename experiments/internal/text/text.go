// Package text converts the words of a text file to indices in a vocabulary, or reads the bytes of the text.
// The package also defines the parameter that names the file.
package text

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"strings"
	"unicode"

	"antipode/experiments/internal/namedfile"
	"antipode/experiments/parameter"
	"antipode/internal/lists"
)

// Parameter returns the parameter that names the text file whose words are the input of networks. The value
// of the parameter includes the checksum of the file, so that metadata record which text was used.
func Parameter(field *string, inapplicable string) parameter.Parameter {
	return parameter.Parameter{Name: "text",
		Meaning: "text file with the words of the sequences; words with the same lower-case form are the " +
			"same word",
		Value: namedfile.Optional{Field: field, What: "a file of text", Else: "random words", Holder: "FILE",
			Sum: func(value string) (string, error) {
				text, err := read(value)
				return checksum(text), err
			}},
		Inapplicable: inapplicable}
}

// ByteParameter is Parameter for a text whose bytes, not words, are the input of networks.
func ByteParameter(field *string, inapplicable string) parameter.Parameter {
	p := Parameter(field, inapplicable)
	p.Meaning = "text file whose bytes are the tokens of the sequences"
	value := p.Value.(namedfile.Optional)
	value.Else = "a random walk on a ring"
	p.Value = value
	return p
}

const largestText = 1 << 28 // bytes

// read returns the text of the file that a value of the parameter names. If the checksum in the value is not
// that of the file, the error says that the file has changed.
func read(value string) ([]byte, error) {
	path, sum := namedfile.Split(value)
	text, err := namedfile.Read(path, largestText,
		fmt.Errorf("the file has more than %d MiB", largestText>>20))
	if err != nil {
		return nil, err
	}
	return text, namedfile.Compare(sum, checksum(text))
}

func checksum(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// Excerpts returns count consecutive excerpts of length words each from the beginning of the text that a
// value of the parameter names. If the value names no text, the result is nil.
func Excerpts(value string, vocabulary, count, length int) (excerpts [][]int, err error) {
	words, err := Words(value, vocabulary)
	if err != nil || value == namedfile.None {
		return nil, err
	}
	if len(words) < count*length {
		return nil, parameter.Errorf("text", namedfile.Name(value), "has %d words; must have %d for %d "+
			"times %d", len(words), count*length, count, length)
	}
	return lists.Of(count, func(k int) []int { return words[k*length : (k+1)*length] }), nil
}

// Repeats returns the fraction of pairs of different positions in a sequence that have the same word. The
// fraction is the average over sequences of equal length, which is at least 2.
func Repeats(sequences [][]int) float64 {
	same, pairs := 0, 0
	for _, words := range sequences {
		counts := map[int]int{}
		for _, word := range words {
			same += counts[word]
			counts[word]++
		}
		pairs += len(words) * (len(words) - 1) / 2
	}
	return float64(same) / float64(pairs)
}

// ZipfRepeats returns the expectation of Repeats for independent words with Zipf's law, under which the k-th
// word of the vocabulary has a probability proportional to 1/k. The expectation is the sum of the squares of
// the probabilities.
func ZipfRepeats(vocabulary int) float64 {
	sum, squares := 0.0, 0.0
	for k := vocabulary; k > 0; k-- {
		p := 1 / float64(k)
		sum, squares = sum+p, squares+float64(p*p)
	}
	return squares / (sum * sum)
}

// Bytes returns the bytes of the text that a value of the parameter names. If the value names no text, the
// result is nil.
func Bytes(value string) ([]byte, error) {
	if value == namedfile.None {
		return nil, nil
	}
	text, err := read(value)
	if err != nil {
		name := namedfile.Name(value)
		return nil, parameter.Errorf("text", name, "%v", err)
	}
	return text, nil
}

// Words returns the words of the text that a value of the parameter names, or nil if the value names no text.
// A word is a run of letters and digits that is as long as possible, in lower case. A word is returned as its
// FNV-1a hash modulo the size of the vocabulary.
func Words(value string, vocabulary int) ([]int, error) {
	text, err := Bytes(value)
	if err != nil {
		return nil, err
	}
	var words []int
	for _, word := range strings.FieldsFunc(strings.ToLower(string(text)),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }) {
		hash := fnv.New64a()
		hash.Write([]byte(word))
		words = append(words, int(hash.Sum64()%uint64(vocabulary)))
	}
	return words, nil
}
