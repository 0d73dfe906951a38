package cifar

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"antipode/experiments/internal/namedfile"
	"antipode/sde/training/tasks"
	"antipode/sphere/must"
)

// files returns a directory with files in the format of CIFAR-10. The k-th file has k images. The class of an
// image is its number among all images modulo 10, and all its other bytes are this number.
func files(t *testing.T) (directory string) {
	t.Helper()
	directory = t.TempDir()
	image := byte(0)
	for k, name := range append(trainFiles[:5:5], validationFile) {
		var content []byte
		for range k + 1 {
			content = append(content, image%10)
			content = append(content, bytes.Repeat([]byte{image}, tasks.Numbers)...)
			image++
		}
		write(t, filepath.Join(directory, name), content)
	}
	return directory
}

func write(t *testing.T, path string, content []byte) {
	t.Helper()
	must.Do(t, os.WriteFile(path, content, 0o600))
}

// Read returns the images of the training files in the order of the files, and those of the last file
// separately.
func TestRead(t *testing.T) {
	directory := files(t)
	field := namedfile.None
	value := Parameter(&field, "").Value
	if err := value.Set(directory); err != nil || !strings.HasPrefix(field, directory+"#sha256:") {
		t.Fatalf("%q: %v", field, err)
	}
	train, validation, err := Read(field)
	if err != nil || len(train.Classes) != 15 || len(validation.Classes) != 6 {
		t.Fatal(len(train.Classes), len(validation.Classes), err)
	}
	for _, part := range []struct {
		tasks.Pictures
		first int
	}{{train, 0}, {validation, 15}} {
		for k, class := range part.Classes {
			n := byte(part.first + k)
			want := bytes.Repeat([]byte{n}, tasks.Numbers)
			if class != n%10 || !bytes.Equal(part.Bytes[k*tasks.Numbers:][:tasks.Numbers], want) {
				t.Errorf("image %d: class %d", n, class)
			}
		}
	}
	if err := value.Set(field); err != nil {
		t.Error(err)
	}
	p := First(train, 4)
	if len(p.Classes) != 4 || len(p.Bytes) != 4*tasks.Numbers || p.Bytes[len(p.Bytes)-1] != 3 {
		t.Errorf("first four: %d", len(p.Classes))
	}
	if p := First(train, 400); len(p.Classes) != 15 {
		t.Errorf("first 400: %d", len(p.Classes))
	}
}

// A file that is missing, truncated or in another format is named in an error of one line, and the field
// keeps its value.
func TestBadFolders(t *testing.T) {
	const allowed = "; must be a folder with CIFAR-10's six binary files, or none for images of a law"
	for want, damage := range map[string]func(directory string){
		"data_batch_3.bin: there is no such file in the folder": func(d string) {
			must.Do(t, os.Remove(filepath.Join(d, "data_batch_3.bin")))
		},
		"data_batch_1.bin: there is no such file in the folder": func(d string) {
			must.Do(t, os.RemoveAll(d))
		},
		"data_batch_2.bin: has 6145 bytes, must have 3073 for each image, of 1 to 100000 images": func(
			d string) {
			must.Do(t, os.Truncate(filepath.Join(d, "data_batch_2.bin"), 6145))
		},
		"test_batch.bin: has 0 bytes, must have 3073 for each image, of 1 to 100000 images": func(d string) {
			write(t, filepath.Join(d, "test_batch.bin"), nil)
		},
		"data_batch_5.bin: image 1 has class 32, must be from 0 to 9: not in CIFAR-10's binary format": func(
			d string) {
			blanks := bytes.Repeat([]byte(" "), record)
			content := append(bytes.Repeat([]byte{7}, record), blanks...)
			write(t, filepath.Join(d, "data_batch_5.bin"), content)
		},
		"data_batch_4.bin: not a regular file": func(d string) {
			path := filepath.Join(d, "data_batch_4.bin")
			must.Do(t, os.Remove(path))
			must.Do(t, os.Mkdir(path, 0o700))
		},
	} {
		directory := files(t)
		damage(directory)
		field := namedfile.None
		err := Parameter(&field, "").Set(directory)
		if err == nil || err.Error() != want+allowed || field != namedfile.None {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// If the images on disk have changed since they were named, reading them is an error.
func TestChangedImages(t *testing.T) {
	directory, field := files(t), namedfile.None
	must.Do(t, Parameter(&field, "").Set(directory))
	write(t, filepath.Join(directory, "test_batch.bin"), make([]byte, record))
	_, _, err := Read(field)
	if want := "data " + directory + ": the numbers in the file have changed"; err == nil ||
		!strings.HasPrefix(err.Error(), want) {
		t.Error(err)
	}
}
