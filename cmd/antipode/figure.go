package main

import (
	"antipode/data"
	"antipode/data/durable"
	"antipode/experiments/run"
)

// figureFile is the file of a figure that is being written. The zero value draws nothing.
type figureFile struct {
	path string
	file *durable.Replacement
}

// createFigure begins the file of the figure. If the path is empty, there is no file.
func createFigure(path string) (*figureFile, error) {
	f := &figureFile{path: path}
	if path == "" {
		return f, nil
	}
	var err error
	f.file, err = durable.NewReplacement(path)
	return f, err
}

// draw draws the table's figure, and completes the file.
func (f *figureFile) draw(e run.Experiment, table *data.Table) error {
	if f.file == nil {
		return nil
	}
	figure, err := e.Draw(table)
	if err != nil {
		return err
	}
	if err := figure.Write(f.file, f.path); err != nil {
		return err
	}
	return f.file.Commit()
}

// abort removes an unfinished file.
func (f *figureFile) abort() {
	if f.file != nil {
		f.file.Abort()
	}
}
