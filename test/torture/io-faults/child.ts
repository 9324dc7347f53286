/** A process for faults: receives a scenario, runs it, sends its account, and waits for the next one. */
import { type FromChild, toChild } from './account.ts';
import { runScenario } from './scenarios.ts';

const uncaught: string[] = [];
const note = (error: unknown) => uncaught.push(error instanceof Error ? (error.stack ?? '') : String(error));
process.on('uncaughtException', note);
process.on('unhandledRejection', note);
process.on('disconnect', () => process.exit());

function send(message: FromChild): void {
  process.send?.(message);
}

process.on('message', async (message: unknown) => {
  const account = await runScenario(toChild.parse(message));
  send({ kind: 'done', account: { ...account, uncaught: uncaught.splice(0) } });
});
send({ kind: 'ready' });
