// Asks again and again: often while the page is looked at, seldom while it is not, less and less while it fails.

const LOOKED_AT_MS = 2_500;
const HIDDEN_MS = 30_000;
const SLOWEST_MS = 60_000;

/** `load` is asked now and from then on, one request at a time; `failed(error, waitMs)` hears of each that fails. */
export function poll(load, failed) {
  let timer = null;
  let failures = 0;
  let running = false;
  let again = false;
  let stopped = false;

  async function run() {
    clearTimeout(timer);
    if (stopped) return;
    if (running) {
      again = true;
      return;
    }
    running = true;
    let error = null;
    try {
      await load();
      failures = 0;
    } catch (caught) {
      error = caught;
      failures += 1;
    }
    running = false;
    if (stopped) return;
    const usual = document.hidden ? HIDDEN_MS : LOOKED_AT_MS;
    const wait = again && !error ? 0 : Math.min(usual * 2 ** failures, Math.max(SLOWEST_MS, usual));
    again = false;
    if (error) failed(error, wait);
    timer = setTimeout(run, wait);
  }

  const onVisible = () => {
    if (!document.hidden) run();
  };
  document.addEventListener("visibilitychange", onVisible);
  window.addEventListener("online", run);
  run();
  return {
    now: run,
    stop() {
      stopped = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", onVisible);
      window.removeEventListener("online", run);
    },
  };
}
