// Package tasks has what networks learn.
package tasks
