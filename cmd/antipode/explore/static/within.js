// The server inside the page: the program as WebAssembly, in several workers, so that a question that takes
// long does not delay others. An exported page has this module in place of http.js.

import { source } from './worker.js';

const address = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
const patience = 40; // milliseconds within which a worker responds if it is not computing

// The program comes from a script, because a page in a file may load scripts. It is compiled once.
const packed = Promise.withResolvers();
const compiled = Promise.withResolvers();
window.program = packed.resolve;
const script = Object.assign(document.createElement('script'), { src: 'program.js' });
const loading = document.getElementById('loading');
loading.hidden = false;
script.onerror = () => {
  loading.textContent = 'The file program.js is missing beside this page.';
};
document.head.append(script);

let asked = 0;
let events; // the arguments of listen
let heard = false;

// Program is the program in one worker.
class Program {
  constructor(kind) {
    this.kind = kind;
    this.open = new Map(); // requests whose answers are not complete, by their numbers
    this.begin();
  }

  begin() {
    this.worker = new Worker(address);
    this.worker.onmessage = ({ data }) => this.take(data);
    this.worker.onerror = ({ message }) => this.take({ failure: message });
    const worker = this.worker;
    if (!Program.compiles) {
      Program.compiles = true;
      packed.promise.then((base64) => worker.postMessage({ base64 }));
    } else compiled.promise.then((module) => worker.postMessage({ module }));
    this.open.set(++asked, { answered: (answer) => this.follow(answer), ask: ['GET', events.path, ''] });
    this.worker.postMessage({ ask: [asked, 'GET', events.path, ''] });
  }

  // follow passes events about runs on to the page.
  async follow(answer) {
    let text = '';
    for await (const piece of answer.body.pipeThrough(new TextDecoderStream())) {
      const all = (text + piece).split('\n\n');
      text = all.pop();
      for (const one of all) {
        const [, name, said] = /^event: (.*)\ndata: (.*)/.exec(one) ?? [];
        if (name && (this.kind === 'runs' || !heard)) {
          heard = true;
          events.on[name]?.(JSON.parse(said));
        }
      }
    }
  }

  send(path, { method = 'GET', body = '', signal } = {}) {
    return new Promise((answered, refused) => {
      const id = ++asked;
      const request = { answered, ask: [method, path, body] };
      this.open.set(id, request);
      this.worker.postMessage({ ask: [id, ...request.ask] });
      signal?.addEventListener('abort', () => {
        if (!this.open.has(id)) return;
        const failure = new DOMException('nobody waits', 'AbortError');
        refused(failure);
        request.stream?.error(failure);
        request.given = true;
        this.worker.postMessage({ abort: id });
        setTimeout(() => this.open.has(id) && this.renew(), patience);
      });
    });
  }

  // renew restarts a worker that computes an answer for which nobody waits any more.
  renew() {
    this.worker.terminate();
    const open = [...this.open.values()].filter((r) => !r.given && !r.stream && r.ask[1] !== events.path);
    this.open.clear();
    this.begin();
    for (const request of open) {
      this.open.set(++asked, request);
      this.worker.postMessage({ ask: [asked, ...request.ask] });
    }
  }

  // take takes a part of an answer.
  take({ failure, module, id, head, piece, end }) {
    if (failure) {
      loading.hidden = false;
      loading.textContent = `The program does not run in this browser: ${failure}`;
    }
    if (module) {
      compiled.resolve(module);
      loading.hidden = true;
    }
    const request = this.open.get(id);
    if (end) this.open.delete(id);
    if (!request || request.given) return;
    if (head) {
      const body = new ReadableStream({ start: (stream) => (request.stream = stream) });
      request.answered(new Response(head.status === 204 ? null : body, head));
    }
    if (piece) request.stream.enqueue(piece);
    if (end) request.stream.close();
  }
}

const programs = {};

// send sends a request and returns the answer. Trajectories, ensembles, theory and runs have one worker each.
export function send(path, options) {
  const kind = ['ensemble', 'theory', 'runs'].find((name) => path.split('/')[0] === name) ?? 'live';
  programs[kind] ??= new Program(kind);
  return programs[kind].send(path, options);
}

// listen makes a stream of events call the functions in on by the names of events.
export function listen(path, on) {
  events = { path, on };
  return () => {};
}

// leave does nothing, since everything ends when the page closes.
export function leave() {}

export const within = true;
