package main

import (
	"antipode/data"
	"antipode/data/durable"
	"antipode/experiments/run"
)

// writeFigure draws the figure of a table into a file, in the format that the name of the file stands for,
// and completes the file. If the file is nil, writeFigure does nothing.
func writeFigure(file *durable.Replacement, name string, e run.Experiment, table *data.Table) error {
	if file == nil {
		return nil
	}
	figure, err := e.Draw(table)
	if err != nil {
		return err
	}
	if err := figure.Write(file, name); err != nil {
		return err
	}
	return file.Commit()
}
