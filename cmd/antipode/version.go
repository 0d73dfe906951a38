package main

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"

	"antipode/experiments/run"
)

// releaseCommit is the commit from which a release was built. The linker sets releaseCommit, for builds that
// do not know their commit.
var releaseCommit string

// version returns the version of the program, the commit it was built from, and the platform.
func version() string {
	var settings []debug.BuildSetting
	if info, ok := debug.ReadBuildInfo(); ok {
		settings = info.Settings
	}
	return fmt.Sprintf("%s (commit %s, %s, %s/%s)", run.Version, commitOf(settings, releaseCommit),
		runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// commitOf returns the commit in the settings of a build, with a mark if the sources were changed after the
// commit. If the settings have no commit, commitOf returns the argument without.
func commitOf(settings []debug.BuildSetting, without string) string {
	commit, changed := cmp.Or(without, "unknown"), ""
	for _, s := range settings {
		switch {
		case s.Key == "vcs.revision":
			commit = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = " and changes"
		}
	}
	return commit + changed
}
