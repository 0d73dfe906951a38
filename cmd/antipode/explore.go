package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"antipode/cmd/antipode/explore"
	"antipode/cmd/antipode/explore/static"
	"antipode/cmd/antipode/terminal"
	"antipode/data"
	"antipode/experiments/parameter"
	"antipode/experiments/wording"

	"github.com/urfave/cli/v2"
)

func exploreCommand(stdout, stderr io.Writer) *cli.Command {
	address, open, keep, folder := "127.0.0.1:0", true, false, ""
	listen, listenFlag := newFlag(
		parameter.Parameter{Name: "listen", Meaning: "where the page is served; port 0 selects a free port",
			Value: listenValue(&address)},
	)
	export, exportFlag := newFlag(
		parameter.Parameter{Name: "export", Value: folderValue(&folder),
			Meaning: "write the page as files into this folder, and serve nothing"},
	)
	return &cli.Command{
		Name:      "explore",
		Usage:     "a page in the browser: moving tokens, theory with sliders, runs, tables",
		ArgsUsage: "[FILE.arrow ...]",
		Description: `Serves a page on this machine only, prints its address, and opens the browser
if there is one. The page shows tokens that gather on the sphere, as the command simulate computes
them, and the theory of two tokens, which follows sliders. The page runs every command and draws the
figure during the run. The page shows the tables FILE, and prints the command line for everything
that it does. The server ends with Ctrl-C, or one minute after its last page was closed. The address
contains a secret, which is new each time unless ` + explore.SecretVariable + ` gives one.

--export writes the page as files instead. The files need no server and no other program: they open
from a disk or from any web server, and the browser computes the same bits. The files are taken from
` + static.Archive + ` if that is beside the program, and are built with Go otherwise.

Examples: antipode explore phase.arrow
          antipode explore --export page`,
		Flags: []cli.Flag{
			listenFlag,
			&cli.BoolFlag{
				Name:        "open",
				Usage:       "open the browser; --open=false for none",
				Destination: &open,
				Value:       true,
			},
			newSwitch("keep", "keep serving when no page is open", &keep),
			exportFlag,
		},
		Action: func(c *cli.Context) error {
			if export.text != nil {
				if err := export.apply(); err != nil {
					return err
				}
				return exportPage(c, folder, stdout, stderr)
			}
			if err := listen.apply(); err != nil {
				return err
			}
			options := explore.Options{
				Secret: os.Getenv(explore.SecretVariable),
				Files:  c.Args().Slice(),
				Keep:   keep,
				Log:    log.New(stderr, "antipode: ", 0),
			}
			if options.Secret != "" && !explore.ValidSecret(options.Secret) {
				return usagef("%s: must be 20 to 100 letters, digits, - and _", explore.SecretVariable)
			}
			files, err := opened(options.Files)
			if err != nil {
				return err
			}
			if err := checkEnvironment(); err != nil {
				return err
			}
			return serve(c.Context, explore.New(options), address, files, open, stdout)
		},
	}
}

// exportPage writes the page of the command explore as files to a folder.
func exportPage(c *cli.Context, folder string, stdout, stderr io.Writer) error {
	for _, name := range []string{"listen", "open", "keep"} {
		if c.IsSet(name) {
			return usagef("--%s: has no effect with --export, which serves nothing; must be left out", name)
		}
	}
	if c.Args().Present() {
		return usagef("explore: FILE.arrow has no effect with --export; must be left out")
	}
	building := func() {
		terminal.Say(stderr, "the page is being built with Go, which takes some minutes the first time")
	}
	if err := static.Write(folder, building); err != nil {
		return err
	}
	_, err := fmt.Fprintf(stdout, "The page is %s; its folder can also be served by any web server.\n",
		filepath.Join(folder, "index.html"))
	return err
}

// opened returns a line for each of the files at paths, which says what the page of the command explore does
// with the file. If a file cannot be read, opened returns an error.
func opened(paths []string) (lines string, err error) {
	for _, path := range paths {
		if path == "" {
			return "", usagef("explore: the name of a FILE is empty")
		}
		use := "for parameters that name a file"
		if slices.Contains(tableExtensions, strings.ToLower(filepath.Ext(path))) {
			use, err = tableInWords(path)
		} else {
			err = checkReadable(path)
		}
		if err != nil {
			return "", err
		}
		lines += fmt.Sprintf("It has %s, %s.\n", path, use)
	}
	return lines, nil
}

// tableInWords describes the table at path in a few words.
func tableInWords(path string) (string, error) {
	reader, err := data.Open(path)
	if err != nil {
		return "", err
	}
	of := ""
	if command, known := reader.Schema().Value(data.KeyCommand); known {
		of = " of " + command
	}
	return fmt.Sprintf("a table%s with %s", of, wording.Count(reader.Rows(), "row")), reader.Close()
}

// checkReadable returns an error unless path is a file that can be read.
func checkReadable(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	file.Close()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s: not a regular file", path)
	}
	return err
}

// serve prints the address and the files of the page of the command explore, and serves the page until the
// context ends.
func serve(ctx context.Context, server *explore.Server, address, files string, open bool,
	stdout io.Writer) error {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return usagef("--listen %s: %v", address, errors.Unwrap(err))
	}
	page := server.Address(listener)
	if _, err := fmt.Fprintf(stdout, "The page is at %s\n%sCtrl-C ends it.\n", page, files); err != nil {
		listener.Close()
		return err
	}
	if open {
		openBrowser(page)
	}
	if err := server.Serve(ctx, listener); err != nil {
		return err
	}
	_, err = fmt.Fprintln(stdout, "The last page was closed a minute ago.")
	return err
}

// openBrowser opens the page in a browser, if the machine has a browser and a screen. Without a browser
// openBrowser does nothing: the address of the page has already been printed.
func openBrowser(page string) {
	var command *exec.Cmd
	switch {
	case runtime.GOOS == "darwin":
		command = exec.Command("open", page)
	case runtime.GOOS == "windows":
		command = exec.Command("rundll32", "url.dll,FileProtocolHandler", page)
	case os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != "":
		command = exec.Command("xdg-open", page)
	default:
		return
	}
	if command.Start() == nil {
		go command.Wait()
	}
}

// listenValue returns the value of the flag --listen: a network address of this machine with a port, which
// other machines cannot reach.
func listenValue(field *string) parameter.Value {
	accepts := func(text string) bool {
		host, port, err := net.SplitHostPort(text)
		number, portErr := strconv.ParseUint(port, 10, 16)
		ip := net.ParseIP(host)
		return err == nil && portErr == nil && port == strconv.FormatUint(number, 10) &&
			(host == "localhost" || ip != nil && ip.IsLoopback())
	}
	return textValue{field, accepts,
		"an address of this machine alone, 127.0.0.1, [::1] or localhost, with : and a port", "ADDRESS:PORT"}
}
