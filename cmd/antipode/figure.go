package main

import (
	"antipode/data"
	"antipode/data/durable"
	"antipode/experiments/run"
)

// figureFile is the file of a figure that is being written. The zero value of figureFile draws nothing.
type figureFile struct {
	path string
	file *durable.Replacement
}

// createFigure begins the file of a figure at path. If the path is empty, createFigure returns a figureFile
// that draws nothing.
func createFigure(path string) (*figureFile, error) {
	f := &figureFile{path: path}
	if path == "" {
		return f, nil
	}
	var err error
	f.file, err = durable.NewReplacement(path)
	return f, err
}

// draw draws the figure of a table, and completes the file.
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

// abort removes the file of the figure if it is unfinished.
func (f *figureFile) abort() {
	if f.file != nil {
		f.file.Abort()
	}
}
