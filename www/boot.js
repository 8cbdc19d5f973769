// The module worker that holds the engine.
//
//   page ── JSON text ──▶ onmessage ──▶ run(json)     one program at a time, from a clean interpreter
//   page ◀── JSON text ── post(json)  ◀── start, run  the messages of src/protocol.rs, as text
//
// What the engine's wasm finds here:
//   tensoryard.jspi             whether the browser can suspend WebAssembly (JavaScript Promise Integration)
//   tensoryard.stopRequested()  whether the page asked the running program to end
//   start(post)                 an export: looks for a GPU, then posts `ready`
//   run(json)                   an export: takes a `ToWorker::Run`, posts `started`, `output`, `events` and `done`
//
// `Stop` never reaches the engine as a message: it only sets a flag, which the engine reads whenever it yields. A
// program that never yields cannot be stopped from here; then the page ends this worker and starts another.

const jspi = typeof WebAssembly.Suspending === "function" && typeof WebAssembly.promising === "function";
let stop = false;
globalThis.tensoryard = { jspi, stopRequested: () => stop };

const post = (json) => self.postMessage(json);
const fail = (error) => self.postMessage(JSON.stringify({ type: "broken", reason: String(error?.message ?? error) }));

// The glue wraps imports and exports with these two names when it is instantiated. Where they are missing, stand-ins
// let it load; the engine sees `jspi == false` and never waits for a promise.
if (!jspi) {
  WebAssembly.Suspending = function Suspending(call) {
    return call;
  };
  WebAssembly.promising = (call) => async (...values) => call(...values);
}

// Not the worker's own address: in a sandboxed frame the worker is a blob that imports this file.
const version = new URL(import.meta.url).search;
const engine = (async () => {
  const { default: init, start, run } = await import(`./worker.js${version}`);
  await init({ module_or_path: new URL(`./worker_bg.wasm${version}`, import.meta.url) });
  await start(post);
  return run;
})();
engine.catch(fail);

// Messages that arrive while a program runs wait here, in order.
let turn = Promise.resolve();

self.onmessage = ({ data }) => {
  const message = JSON.parse(data);
  if (message.type === "stop") {
    stop = true;
    return;
  }
  turn = turn
    .then(async () => {
      const run = await engine;
      stop = false;
      await run(data);
    })
    .catch(fail);
};
