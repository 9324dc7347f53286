// npm runs a script through a shell, and a signal to npm ends that shell and not what it runs: we would go on
// alone, holding the store and the port, with nobody left who knows.

const LOOK_EVERY_MS = 250;

/** Takes the death of the process that started us for the signal that it cannot pass on. */
export function stopWithParent() {
  // Elsewhere we were started by something that can signal us; Windows keeps the number of a dead parent.
  if (process.env.npm_lifecycle_event === undefined || process.platform === 'win32') return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, LOOK_EVERY_MS);
  timer.unref();
}
