// Reads the page again when the lesson's file changes. `tensoryard lesson preview` serves this script and what it asks for.

const version = async () => (await (await fetch("./preview.json", { cache: "no-store" })).json()).version;

// A page that was stored for times without a network would hide every change.
for (const worker of (await navigator.serviceWorker?.getRegistrations()) ?? []) await worker.unregister();

const seen = await version();

setInterval(async () => {
  // The command was ended: the page stays as it is.
  const now = await version().catch(() => seen);
  if (now !== seen) location.reload();
}, 500);
