package main

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"

	"antipode/experiments/run"
)

// releaseCommit is the commit of a release, whose build may know none; its link sets it.
var releaseCommit string

// version says which program this is: its version, the commit it was built from, and for what.
func version() string {
	var settings []debug.BuildSetting
	if info, ok := debug.ReadBuildInfo(); ok {
		settings = info.Settings
	}
	return fmt.Sprintf("%s (commit %s, %s, %s/%s)", run.Version, commitOf(settings, releaseCommit),
		runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// commitOf is the commit in the settings of a build, marked where sources were changed after it; another one
// where they have none.
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
