// Package cifar reads images of the data set CIFAR-10 in its binary format. The package also defines the
// parameter that names the folder of the images.
package cifar

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"antipode/experiments/internal/namedfile"
	"antipode/experiments/parameter"
	"antipode/sde/training/tasks"
)

// The names of the files of training images, and of the file of test images.
var (
	trainFiles = []string{"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin", "data_batch_4.bin",
		"data_batch_5.bin"}
	validationFile = "test_batch.bin"
)

const (
	record      = 1 + tasks.Numbers // bytes: the class, followed by the pixel values of an image
	classes     = 10
	largestFile = 100_000 * record // bytes; CIFAR-10's have 10,000 images
)

// Parameter returns the parameter that names the folder of CIFAR-10's files. The value of the parameter
// includes the checksum of the files, so that metadata record which images were used.
func Parameter(field *string, inapplicable string) parameter.Parameter {
	return parameter.Parameter{Name: "data",
		Meaning: "folder of CIFAR-10's binary version, data_batch_1.bin to data_batch_5.bin " +
			"and test_batch.bin",
		Value: namedfile.Optional{Field: field, What: "a folder with CIFAR-10's six binary files",
			Else: "images of a law", Holder: "DIR",
			Sum: func(value string) (sum string, err error) {
				_, _, sum, err = read(value)
				return sum, err
			}},
		Inapplicable: inapplicable}
}

// Read returns the training images and the validation images in the folder that a value of the parameter
// names. The validation images are CIFAR-10's test images. The error is a *parameter.Error.
func Read(value string) (train, validation tasks.Pictures, err error) {
	train, validation, _, err = read(value)
	if err != nil {
		name := namedfile.Name(value)
		err = parameter.Errorf("data", name, "%v", err)
	}
	return train, validation, err
}

// read is Read, but also returns the checksum of the files. If the value has another checksum, this is an
// error.
func read(value string) (train, validation tasks.Pictures, sum string, err error) {
	directory, want := namedfile.Split(value)
	hash := sha256.New()
	for _, name := range append(trainFiles[:len(trainFiles):len(trainFiles)], validationFile) {
		bytes, err := readFile(filepath.Join(directory, name))
		if err != nil {
			return train, validation, "", fmt.Errorf("%s: %w", name, err)
		}
		hash.Write(bytes)
		part := &train
		if name == validationFile {
			part = &validation
		}
		if err := add(part, bytes); err != nil {
			return train, validation, "", fmt.Errorf("%s: %w", name, err)
		}
	}
	sum = hex.EncodeToString(hash.Sum(nil))
	return train, validation, sum, namedfile.Compare(want, sum)
}

func readFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, errors.New("there is no such file in the folder")
	case err != nil:
		return nil, errors.Unwrap(err) // without the path, which the message contains already
	case !info.Mode().IsRegular():
		return nil, errors.New("not a regular file")
	case info.Size() == 0 || info.Size()%record != 0 || info.Size() > largestFile:
		return nil, fmt.Errorf("has %d bytes, must have %d for each image, of 1 to %d images",
			info.Size(), record, largestFile/record)
	}
	bytes, err := os.ReadFile(path)
	if err == nil && len(bytes)%record != 0 {
		err = errors.New("changes while it is read")
	}
	return bytes, err
}

// add adds the images in the bytes of a file to the pictures.
func add(to *tasks.Pictures, bytes []byte) error {
	for k := 0; k < len(bytes); k += record {
		class := bytes[k]
		if class >= classes {
			return fmt.Errorf("image %d has class %d, must be from 0 to %d: not in CIFAR-10's binary format",
				k/record, class, classes-1)
		}
		to.Classes = append(to.Classes, class)
		to.Bytes = append(to.Bytes, bytes[k+1:k+record]...)
	}
	return nil
}

// First returns the first count pictures, or all pictures if there are fewer.
func First(p tasks.Pictures, count int) tasks.Pictures {
	count = min(count, len(p.Classes))
	return tasks.Pictures{Classes: p.Classes[:count], Bytes: p.Bytes[:count*tasks.Numbers]}
}
