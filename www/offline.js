// Keeps the page for times without a network: sw.js stores what this build consists of.

if ("serviceWorker" in navigator && isSecureContext) {
  // Storage may be blocked; then the page works as before, with a network.
  const register = () => navigator.serviceWorker.register("./sw.js").catch(() => null);
  // The engine starts first: what is stored here would take the network and the processor from a visitor's first run.
  const later = () => setTimeout(register, 4000);
  if (document.readyState === "complete") later();
  else addEventListener("load", later);
}
