// What the browser keeps for the next visit, where it may.

export function store(name, text) {
  try {
    localStorage.setItem(name, text);
  } catch {
    // it keeps nothing of this page
  }
}

export function recall(name) {
  try {
    return localStorage.getItem(name) ?? '';
  } catch {
    return '';
  }
}
