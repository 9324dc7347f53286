import type { Context, EmbeddedEngine } from '../../../electron/engine/api/context.ts';
import type { Commit } from '../../../electron/engine/backends/backend.ts';
import { openEngine } from '../../../electron/engine/engine.ts';
import type { Clock } from '../../../electron/engine/platform/clock.ts';
import { createLogger } from '../../../electron/engine/platform/logger.ts';

export type SimulatedContext = Context & { readonly engine: EmbeddedEngine };

const EVENTS_READ = 5_000;

/** A store file, open in the whole engine. */
export interface OpenedFile {
  readonly file: string;
  readonly context: SimulatedContext;
  stop(): Promise<void>;
}

export function openFile(
  file: string,
  options: {
    clock: Clock;
    callsWaiting(): number;
    intervalFrom: number | null;
    complain(line: string): void;
  },
): OpenedFile {
  const { clock, callsWaiting, intervalFrom, complain } = options;
  const { engine, stop } = openEngine({
    storeFile: file,
    clock,
    log: createLogger('warn', clock.now, complain),
    version: '0.0.0-test',
    callsWaiting,
    reads: 'inline',
    reserveBytes: 0,
    intervalFrom,
  });
  return {
    file,
    stop,
    context: { engine, caller: { user: 'ada', permission: 'configure', from: 'machine' } },
  };
}

/** Returns the commits from revision `from` on and below `end`: opening makes some before a listener can be added. */
export async function commitsOf(
  { reads }: EmbeddedEngine['backend'],
  from: number,
  end: number,
): Promise<Commit[]> {
  const commits: Commit[] = [];
  const changes: Commit['changes'][number][] = [];
  const { events } = await reads.changes({ from: { revision: from, position: 0 }, limit: EVENTS_READ });
  for (const { event } of events) {
    if (event.revision >= end) break;
    if (event.kind !== 'end') changes.push({ ...event, id: event._id });
    else {
      const { revision, at } = event;
      commits.push({ revision, at, collections: new Set(), changes: changes.splice(0) });
    }
  }
  return commits;
}
