package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"antipode/cmd/antipode/terminal"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/internal/lists"

	"github.com/urfave/cli/v2"
)

const helpWidth = 80

// printHelp prints the help of the command in whose context it is called. In the context of the command help,
// printHelp prints the help of the command that the first argument names, or of the program if there is no
// argument.
func printHelp(c *cli.Context) (err error) {
	command, name := c.App.Command(c.Command.Name), c.Args().First()
	if command == nil || command.Name == "help" {
		if command = c.App.Command(name); command == nil && c.Args().Present() {
			return unknownCommand(c, name)
		}
	}
	text := appHelp(c.App)
	if command != nil {
		text = commandHelp(command)
	}
	_, err = io.WriteString(c.App.Writer, text)
	return err
}

// exitStatus is the text that explains the exit codes of the program in its help.
const exitStatus = "0 success; 1 failure; 2 wrong usage or wrong value (no file was created or changed); " +
	"130 interrupted; 143 ended by SIGTERM; 129 ended by SIGHUP (after 130, 143 and 129 a table is " +
	"complete, or was not created or changed; the finished part of a run is kept, and --resume continues " +
	"it); 141 the reader of standard output closed it, as head does (no message)."

// appHelp returns the help of the program, which lists its commands in groups.
func appHelp(app *cli.App) string {
	var b strings.Builder
	fmt.Fprintf(&b, "NAME\n   %s - %s\n\nVERSION\n   %s\n\nSYNOPSIS\n%s\n\nCOMMANDS\n", app.Name, app.Usage,
		app.Version, indented(app.UsageText, "   "))
	category := ""
	for _, command := range app.VisibleCommands() {
		if command.Category != category {
			category = command.Category
			fmt.Fprintf(&b, "   %s:\n", category)
		}
		const column = 22
		name := fmt.Sprintf("%-*s", column, "     "+command.Name)
		usage := terminal.Wrap(command.Usage, strings.Repeat(" ", column), helpWidth)
		fmt.Fprintf(&b, "%s%s\n", name, usage[column:])
	}
	b.WriteString("\nantipode help COMMAND, or antipode COMMAND --help, explains each command.\n")
	return b.String()
}

// commandHelp returns the help of a command in the form of a manual page.
func commandHelp(c *cli.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, "NAME\n%s\n\nSYNOPSIS\n   %s\n\nDESCRIPTION\n",
		terminal.Wrap(c.HelpName+" - "+c.Usage, "   ", helpWidth), synopsis(c))
	for k, p := range paragraphs(c.Description) {
		text := indented(p, "   ")
		if !isVerbatim(p) {
			text = terminal.Wrap(p, "   ", helpWidth)
		}
		b.WriteString(strings.Repeat("\n", min(k, 1)) + text + "\n")
	}
	own, common := flagsOf(c)
	for _, part := range []struct {
		heading string
		flags   []cli.Flag
	}{{"FLAGS", own}, {"FLAGS OF MANY COMMANDS", common}} {
		if len(part.flags) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n%s\n", part.heading)
		for _, f := range part.flags {
			form, text := describeFlag(f)
			fmt.Fprintf(&b, "   %s\n%s\n", form, terminal.Wrap(text, strings.Repeat(" ", 7), helpWidth))
		}
	}
	fmt.Fprintf(&b, "\nEXIT STATUS\n%s\n", terminal.Wrap(exitStatus, "   ", helpWidth))
	return b.String()
}

// paragraphs splits the description of a command into its paragraphs.
func paragraphs(description string) (all []string) {
	for p := range strings.SplitSeq(description, "\n\n") {
		all = append(all, strings.Trim(p, "\n"))
	}
	return all
}

// isVerbatim reports whether the lines of a paragraph must not be joined, because the paragraph has commands,
// lines of JSON or a list.
func isVerbatim(paragraph string) bool {
	return strings.HasPrefix(paragraph, "Example") || strings.HasPrefix(paragraph, "{") ||
		strings.HasPrefix(paragraph, "  ")
}

// synopsis returns the general form of a command line with the given command.
func synopsis(c *cli.Command) string {
	return strings.TrimSpace("antipode " + c.Name + " [flags] " + c.ArgsUsage)
}

// indented puts an indent before each line of a text that is not empty.
func indented(text, indent string) string {
	lines := strings.Split(text, "\n")
	for k, line := range lines {
		if line != "" {
			lines[k] = indent + line
		}
	}
	return strings.Join(lines, "\n")
}

// commonFlags are flags that many commands have. The common flags come last in the help of a command.
var commonFlags = []string{"seed", "out", "plot", "workers", "quiet", "progress", "log-level", "resume",
	"restart", "shard", "shards", "help"}

// flagsOf returns the flags of a command in two lists: the flags of this command, and the flags in
// commonFlags.
func flagsOf(c *cli.Command) (own, common []cli.Flag) {
	for _, f := range c.VisibleFlags() {
		if slices.Contains(commonFlags, f.Names()[0]) {
			common = append(common, f)
		} else {
			own = append(own, f)
		}
	}
	return own, common
}

// withUnit returns the meaning of a parameter. The unit of the parameter is inserted after the first part of
// its meaning.
func withUnit(p parameter.Parameter) string {
	if p.Unit == "" {
		return p.Meaning
	}
	what, more, several := strings.Cut(p.Meaning, "; ")
	what += ", in " + p.Unit
	if several {
		what += "; " + more
	}
	return what
}

// describeFlag returns the form of a flag in a command line, and a text with the meaning, unit, bounds and
// default of its value.
func describeFlag(f cli.Flag) (form, text string) {
	names := lists.Map(f.Names(), dashed)
	form = strings.Join(names, ", ")
	switch f := f.(type) {
	case *cli.GenericFlag:
		p := f.Value.(*valueFlag).parameter
		form, text = form+" "+p.Value.Placeholder(), withUnit(p)+". Allowed: "+p.Value.Allowed()
		if p.Former != "" {
			text += ". Older name: " + dashed(p.Former)
		}
		if f.DefaultText != "" {
			text += ". Default: " + f.DefaultText
		}
	case *cli.BoolFlag:
		text = f.Usage
	}
	return form, text + "."
}

// helpCommand returns the command help, which prints the same help as the flag --help.
func helpCommand() *cli.Command {
	return &cli.Command{
		Name:        "help",
		Usage:       "explains the program or one of its commands",
		ArgsUsage:   "[COMMAND]",
		Description: "Prints what --help prints.\n\nExample: antipode help phase",
		Action: func(c *cli.Context) error {
			if c.NArg() > 1 {
				return usagef("help: takes one COMMAND, not %d", c.NArg())
			}
			return printHelp(c)
		},
	}
}

// manCommand returns the command man, which prints the manual page of the program.
func manCommand(stdout io.Writer) *cli.Command {
	return &cli.Command{
		Name:  "man",
		Usage: "the manual page, in troff",
		Description: `Prints the help of all commands as a page for the program man.

Example: antipode man > antipode.1 && man ./antipode.1`,
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			_, err := io.WriteString(stdout, manual(c.App))
			return err
		},
	}
}

// manual returns the manual page of the program: its help and that of each command.
func manual(app *cli.App) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH ANTIPODE 1 \"\" \"antipode %s\" \"User Commands\"\n", run.Version)
	fmt.Fprintf(&b, ".SH NAME\n%s\n.SH SYNOPSIS\n.nf\n%s\n.fi\n", troff(app.Name+" - "+app.Usage),
		troff(app.UsageText))
	for _, command := range app.VisibleCommands() {
		fmt.Fprintf(&b, ".SH %q\n%s.\n.PP\n.nf\n%s\n.fi\n", strings.ToUpper(command.Name),
			troff(command.Usage), troff(synopsis(command)))
		for _, p := range paragraphs(command.Description) {
			form := ".PP\n%s\n"
			if isVerbatim(p) {
				form = ".PP\n.nf\n%s\n.fi\n"
			}
			fmt.Fprintf(&b, form, troff(p))
		}
		own, common := flagsOf(command)
		for _, f := range slices.Concat(own, common) {
			form, text := describeFlag(f)
			fmt.Fprintf(&b, ".TP\n\\fB%s\\fR\n%s\n", troff(form), troff(text))
		}
	}
	fmt.Fprintf(&b, ".SH EXIT STATUS\n%s\n", troff(exitStatus))
	return b.String()
}

// troff escapes a text so that the typesetter troff prints the text unchanged.
func troff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	lines := strings.Split(text, "\n")
	for k, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[k] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
