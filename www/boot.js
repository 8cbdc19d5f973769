// The module worker that holds the engine.
//
//   page ── JSON text ──▶ onmessage ──▶ run(json)     one program at a time, from a clean interpreter
//   page ◀── JSON text ── post(json)  ◀── start, run  the messages of src/protocol.rs, as text
//
// What the engine's wasm finds here:
//   tensoryard.jspi             whether the browser can suspend WebAssembly (JavaScript Promise Integration)
//   tensoryard.stopRequested()  whether the page asked the running program to end
//   tensoryard.taken(run)       how many messages of a run the page has worked off
//   tensoryard.library(file)    the bytes of a library's file, such as NumPy's, which the running program waits for
//   tensoryard.panicked(text)   takes the engine's last words
//   start(post)                 an export: looks for a GPU, then posts `ready`
//   run(json)                   an export: takes a `ToWorker::Run`, posts `started`, `output`, `events` and `done`, and `prepared`
//                               when an interpreter is there for the next run
//   flush()                     an export: posts what a run that was cut short had still to say
//
// `Stop` and `Taken` never reach the engine as messages: they only set values, which the engine reads whenever it yields. A
// program that never yields cannot be stopped from here; then the page ends this worker and starts another.

const jspi = typeof WebAssembly.Suspending === "function" && typeof WebAssembly.promising === "function";
let stop = false;
let taken = { run: 0, messages: 0 };
let panic = null;
let flush = () => {};
globalThis.tensoryard = {
  jspi,
  stopRequested: () => stop,
  taken: (run) => (taken.run === run ? taken.messages : 0),
  library: (file) => {
    const request = new XMLHttpRequest();
    request.open("GET", new URL(`./library/${file}.wasm`, import.meta.url), false);
    request.responseType = "arraybuffer";
    try {
      request.send();
    } catch {
      throw new Error("its file can't be fetched. Is there a network?");
    }
    if (request.status !== 200) throw new Error(`its file is not there (${request.status}). Reload the page: there may be a new version of it.`);
    return new Uint8Array(WebAssembly.Module.customSections(new WebAssembly.Module(request.response), `library.${file}`)[0]);
  },
  panicked: (text) => {
    panic ??= text;
  },
};

const post = (json) => self.postMessage(json);
const say = (message) => post(JSON.stringify(message));
const fail = (error) => {
  try {
    flush();
  } catch {
    // The engine may be unable to say anything.
  }
  say({ type: "broken", reason: String(error?.message ?? error), panic });
};

// The glue code wraps imports and exports with these two names when it's instantiated. If they're missing, stand-ins
// let it load; the engine then sees `jspi == false` and never waits for a promise.
if (!jspi) {
  WebAssembly.Suspending = function Suspending(call) {
    return call;
  };
  WebAssembly.promising = (call) => async (...values) => call(...values);
}

// Not the worker's own address: in a sandboxed frame, the worker is a blob that imports this file.
const version = new URL(import.meta.url).search;
const engine = (async () => {
  const { default: init, start, run, flush: rest } = await import(`./worker.js${version}`);
  await init({ module_or_path: new URL(`./worker_bg.wasm${version}`, import.meta.url) });
  await start(post);
  flush = rest;
  return run;
})();
engine.catch(fail);

// Messages that arrive while a program runs are handled afterwards, in order.
let turn = Promise.resolve();

self.onmessage = ({ data }) => {
  const message = JSON.parse(data);
  switch (message.type) {
    case "stop":
      stop = true;
      return;
    case "taken":
      taken = message;
      return;
    case "ping":
      say({ type: "heard" });
      return;
    case "run":
      say({ type: "heard" });
  }
  turn = turn
    .then(async () => {
      const run = await engine;
      stop = false;
      await run(data);
    })
    .catch(fail);
};
