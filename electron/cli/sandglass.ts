/** Entry of the command line: words in, an exit code out. */
import { systemClock } from '../engine/platform/clock.ts';
import { EXIT } from './exit-codes.ts';
import { run } from './run.ts';

const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => {
    // Whoever asks twice does not want to wait for the end of what is being ended.
    if (stopping.signal.aborted) process.exit(EXIT.interrupted);
    stopping.abort();
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
