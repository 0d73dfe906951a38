package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"antipode/experiments/run"
)

// version says which program this is: its version, the commit it was built from, and for what.
func version() string {
	commit := "no commit known"
	if info, ok := debug.ReadBuildInfo(); ok {
		commit = commitOf(info.Settings)
	}
	return fmt.Sprintf("%s (%s, %s, %s/%s)", run.Version, commit, runtime.Version(), runtime.GOOS,
		runtime.GOARCH)
}

// commitOf is the commit in the settings of a build, marked where sources were changed after it.
func commitOf(settings []debug.BuildSetting) string {
	commit, changed := "no commit known", ""
	for _, s := range settings {
		switch {
		case s.Key == "vcs.revision":
			commit = "commit " + s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = " and changes"
		}
	}
	return commit + changed
}
