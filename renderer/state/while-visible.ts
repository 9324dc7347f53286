/** Calls `run` every `ms` while the window is visible, and once when it is shown again. Returns the function that ends this. */
export function everyWhileVisible(ms: number, run: () => void): () => void {
  const ended = new AbortController();
  let timer: ReturnType<typeof setInterval> | undefined;
  const restart = () => {
    clearInterval(timer);
    timer = document.visibilityState === 'visible' ? setInterval(run, ms) : undefined;
  };
  document.addEventListener(
    'visibilitychange',
    () => {
      restart();
      if (timer !== undefined) run();
    },
    { signal: ended.signal },
  );
  restart();
  return () => {
    ended.abort();
    clearInterval(timer);
  };
}
