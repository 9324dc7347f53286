/** Entry of the command line. */
import { systemClock } from '../engine/platform/clock.ts';
import { EXIT } from './output/exit-codes.ts';
import { run } from './run.ts';

/** One Ctrl-C can arrive twice: from the terminal, and forwarded by the launcher. */
const SAME_KEY_MS = 500;

const stopping = new AbortController();
let receivedAt = 0;
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => {
    if (!stopping.signal.aborted) {
      receivedAt = systemClock.elapsed();
      return stopping.abort();
    }
    // A second Ctrl-C ends the process at once.
    if (systemClock.elapsed() - receivedAt > SAME_KEY_MS) process.exit(EXIT.interrupted);
  });
}
// A pipe's reader may stop early: `sandglass export … | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(EXIT.done);
});

process.exitCode = await run(process.argv.slice(2), {
  clock: systemClock,
  signal: stopping.signal,
  streams: { input: process.stdin, output: process.stdout, error: process.stderr },
});
// An open standard input would keep the process running.
process.stdin.destroy();
