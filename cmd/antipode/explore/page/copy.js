// Commands as they are typed, as Python and as Go; and saving to files.

// parsed returns the name of a command and its parameters, from a command line for a shell.
export function parsed(line) {
  const words = [...line.matchAll(/(?:'[^']*'|\\.|[^\s'\\])+/g)].map(([word]) =>
    word.replace(/'([^']*)'|\\(.)/g, (_, quoted, escaped) => quoted ?? escaped),
  );
  const given = {};
  for (let k = 2; k < words.length; k++) {
    const [, name, , text] = /^--([\w-]+)(=(.*))?$/s.exec(words[k]) ?? [];
    if (!name) continue;
    if (text !== undefined) given[name] = text;
    else given[name] = k + 1 < words.length && !words[k + 1].startsWith('--') ? words[++k] : 'true';
  }
  return { command: words[1], given };
}

// inPython returns a command line as Python, for the package antipode_sde.
export function inPython(line) {
  const { command, given } = parsed(line);
  const value = (text) =>
    text === 'true' || text === 'false'
      ? text[0].toUpperCase() + text.slice(1)
      : /^-?\d+(\.\d+)?$/.test(text)
        ? text
        : JSON.stringify(text);
  const values = Object.entries(given)
    .filter(([name]) => name !== 'out')
    .map(([name, text]) => `${name.replaceAll('-', '_')}=${value(text)}`);
  const name = command.replaceAll('-', '_');
  return `import antipode_sde\nrun = antipode_sde.${name}(${values.join(', ')})\nrun.frame\n`;
}

// inGo returns a command line as Go.
export function inGo(line) {
  const { command, given } = parsed(line);
  const name = command.replaceAll('-', '');
  const values = Object.entries(given)
    .filter(([name]) => !['out', 'paper'].includes(name))
    .map(([name, text]) => `${JSON.stringify(name)}: ${JSON.stringify(text)}`);
  return `e := ${name}.New() // of antipode/experiments/${name}
seed, err := run.Configure(e, map[string]string{${values.join(', ')}}, ${'paper' in given})
if err != nil {
\tlog.Fatal(err)
}
table := data.NewTable(run.Schema(e, seed))
if err := e.Run(context.Background(), run.Options{Seed: seed}, table); err != nil {
\tlog.Fatal(err)
}
`;
}

const forms = { Copy: (line) => line, Python: inPython, Go: inGo };

// offer puts buttons next to every command line that copy it, as it is, as Python and as Go.
export function offer() {
  for (const line of document.querySelectorAll('.line:not(.plain)')) {
    const about = { Python: 'Copy as Python', Go: 'Copy as Go' };
    for (const name of ['Python', 'Go']) {
      const button = Object.assign(document.createElement('button'), {
        type: 'button',
        className: 'copy',
        textContent: name,
        title: about[name],
      });
      button.setAttribute('aria-label', about[name]);
      line.append(button);
    }
  }
  document.addEventListener('click', (event) => {
    const button = event.target.closest('button.copy');
    if (!button) return;
    const name = button.textContent;
    if (!forms[name]) return;
    const text = forms[name](button.parentElement.querySelector('code').textContent);
    navigator.clipboard.writeText(text).then(() => {
      button.textContent = 'Copied';
      setTimeout(() => {
        button.textContent = name;
      }, 1500);
    });
  });
}

// save saves content in a file.
export function save(content, name, type) {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
