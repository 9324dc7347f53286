/** Entry of the command line: words in, an exit code out. */
import { systemClock } from '../engine/platform/clock.ts';
import { EXIT } from './output/exit-codes.ts';
import { run } from './run.ts';

/** A terminal's Ctrl-C reaches every process before it, so that of the launcher arrives here a second time. */
const ONE_KEY_MS = 500;

const stopping = new AbortController();
let askedAt = 0;
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => {
    if (!stopping.signal.aborted) {
      askedAt = systemClock.elapsed();
      return stopping.abort();
    }
    // Whoever asks twice does not want to wait for the end of what is being ended.
    if (systemClock.elapsed() - askedAt > ONE_KEY_MS) process.exit(EXIT.interrupted);
  });
}
// `sandglass export … | head` has read enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(EXIT.done);
});

process.exitCode = await run(process.argv.slice(2), {
  clock: systemClock,
  signal: stopping.signal,
  streams: { input: process.stdin, output: process.stdout, error: process.stderr },
});
// Whoever writes to it may go on for long; nobody reads it any more.
process.stdin.destroy();
