// Keeps the page for times without a network: sw.js stores what this build consists of.

if ("serviceWorker" in navigator && isSecureContext) {
  // Storage may be blocked; then the page works as before, with a network.
  const register = () => navigator.serviceWorker.register("./sw.js").catch(() => null);
  if (document.readyState === "complete") register();
  else addEventListener("load", register);
}
