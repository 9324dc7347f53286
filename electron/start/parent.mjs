// npm runs a script through a shell. A signal to npm ends that shell and not its child, which would keep the store and
// the port open.

const POLL_EVERY_MS = 250;

/** Sends SIGTERM to this process when its parent has ended, in place of the signal that the shell does not forward. */
export function stopWithParent() {
  // Needed below npm only. On Windows, `process.ppid` does not change when the parent ends.
  if (process.env.npm_lifecycle_event === undefined || process.platform === 'win32') return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, POLL_EVERY_MS);
  timer.unref();
}
