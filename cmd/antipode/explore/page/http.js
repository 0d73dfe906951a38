// The server at the address of the page.

// send sends a request and returns the answer.
export function send(path, options) {
  return fetch(path, options);
}

// listen has a stream of events call functions by the names of events, and lost() when it breaks; what it
// returns ends it.
export function listen(path, on, lost) {
  const stream = new EventSource(path);
  for (const name of Object.keys(on)) {
    stream.addEventListener(name, (event) => on[name](JSON.parse(event.data)));
  }
  stream.onerror = () => {
    stream.close();
    lost();
  };
  return () => stream.close();
}

// leave says good-bye.
export function leave(path) {
  navigator.sendBeacon(path);
}

// within is whether the program is within the page.
export const within = false;
