// Keeps the page for times without a network: sw.js stores what this build consists of.

// A port of this machine is one program's today and another's tomorrow, and a stored page would answer for that one too.
const passing = location.protocol === "http:" && /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(location.hostname);

if ("serviceWorker" in navigator && isSecureContext) {
  // Storage may be blocked; then the page works as before, with a network.
  const register = () => navigator.serviceWorker.register("./sw.js").catch(() => null);
  const remove = async () => {
    const kept = (await navigator.serviceWorker.getRegistration("./").catch(() => null)) ?? null;
    if (kept?.scope === new URL("./", location.href).href) await kept.unregister();
  };
  // The engine starts first: what is stored here would take the network and the processor from a visitor's first run.
  const later = () => setTimeout(register, 4000);
  if (passing) remove();
  else if (document.readyState === "complete") later();
  else addEventListener("load", later);
}
