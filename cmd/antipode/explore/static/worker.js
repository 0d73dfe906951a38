// The program in a worker, loaded after Go's wasm_exec.js. The first message has the program, and the others
// are requests.

const waiting = [];
globalThis.ready = () => {
  globalThis.isReady = true;
  waiting.splice(0).forEach((take) => take());
};

onmessage = async ({ data }) => {
  if (data.base64 || data.module) {
    await begin(data).catch((failure) => postMessage({ failure: String(failure) }));
    return;
  }
  const take = () => (data.ask ? ask(...data.ask) : abort(data.abort));
  if (globalThis.isReady) take();
  else waiting.push(take);
};

async function begin({ base64, module }) {
  const program = module ?? (await WebAssembly.compile(await unpacked(base64)));
  if (!module) postMessage({ module: program });
  const go = new Go();
  go.run(await WebAssembly.instantiate(program, go.importObject)).then(() => {
    postMessage({ failure: 'it has ended' });
  });
}

// unpacked returns the bytes that gzip has compressed, from their base64 text.
function unpacked(base64) {
  const bytes = Uint8Array.fromBase64?.(base64) ?? Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).arrayBuffer();
}
