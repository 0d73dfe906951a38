// Requests to the server, and whether the server can be reached.

import { leave, listen, send } from './http.js';

// page is a name by which the server distinguishes this page from others.
export const page = crypto.randomUUID?.() ?? Array.from(crypto.getRandomValues(new Uint32Array(5))).join('-');

const listeners = { runs: [], back: [] };
let lost = false;

// on registers a function: for 'runs' it is called when a run has changed, and for 'back' when the server can
// be reached again.
export function on(what, f) {
  listeners[what].push(f);
}

// ask sends a question as JSON, or a GET request if there is no question, and returns the answer.
export async function ask(path, question, options = {}) {
  const answer = await send(
    path,
    question === undefined
      ? options
      : {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(question),
          ...options,
        },
  ).catch((failure) => {
    throw failure.name === 'AbortError' ? failure : new DOMException('no answer', 'NetworkError');
  });
  if (!answer.ok && ![409, 422].includes(answer.status)) throw new Error(await answer.text());
  return answer;
}

export async function askJSON(path, question, options) {
  return (await ask(path, question, options)).json();
}

// connected resolves when the page's stream of events is open, without which the server computes nothing for
// the page.
const connection = Promise.withResolvers();
export const connected = connection.promise;

// connect opens the stream of events, and opens it again when it has ended.
export function connect() {
  const end = listen(
    'events?page=' + page,
    {
      runs: (states) => {
        const back = lost;
        lost = false;
        document.getElementById('lost').hidden = true;
        connection.resolve();
        listeners.runs.forEach((f) => f(states));
        if (back) listeners.back.forEach((f) => f());
      },
      rest: () => {
        // other pages need the connection; this page connects again when it is looked at
        end();
        const again = () => {
          if (document.hidden) return;
          for (const event of ['visibilitychange', 'focus']) window.removeEventListener(event, again, true);
          connect();
        };
        for (const event of ['visibilitychange', 'focus']) window.addEventListener(event, again, true);
      },
    },
    () => {
      lost = true;
      document.getElementById('lost').hidden = false;
      setTimeout(connect, 1000);
    },
  );
}

window.addEventListener('pagehide', () => leave('bye?page=' + page));
window.addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload();
});
