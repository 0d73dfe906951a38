// Package experiments has one experiment a file: parameters with defaults and a
// paper-scale preset, the run, the table that it yields, what the table says in
// words, and its figure. It is the only place where simulation (package sde) and
// theory (package overlap) meet.
//
// An experiment writes its rows to a sink, usually a data.Writer; text and figure
// are made from the table alone, so that they can be made again from its file.
package experiments
