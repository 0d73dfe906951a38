// What the browser stores for the next visit, if it may.

export function store(name, text) {
  try {
    localStorage.setItem(name, text);
  } catch {
    // the browser stores nothing for this page
  }
}

export function recall(name) {
  try {
    return localStorage.getItem(name) ?? '';
  } catch {
    return '';
  }
}
