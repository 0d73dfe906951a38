// The program in a worker, after wasm_exec.js of Go: it is told the program once, and then asked.

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

// unpacked are the bytes of a text in base64 that gzip has compressed.
function unpacked(base64) {
  const bytes = Uint8Array.fromBase64?.(base64) ?? Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).arrayBuffer();
}
