// Communication with the server at the page's address.

// send sends a request and returns the answer.
export function send(path, options) {
  return fetch(path, options);
}

// listen opens a stream of events. It calls the functions in on by the names of events, and lost() when the
// stream breaks. It returns a function that closes the stream.
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

// leave tells the server that the page closes.
export function leave(path) {
  navigator.sendBeacon(path);
}

// within says whether the program runs inside the page.
export const within = false;
