import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { changeEvent } from '../../../shared/contract/events.ts';
import type { Random } from '../../support/random.ts';
import { serverSentEvents } from '../../support/server-sent-events.ts';
import type { ReceivedEvent, WatchedSpan } from './checker/event-log.ts';
import type { RestartingHost } from './restarting-host.ts';

const compactedAnswer = z.object({
  code: z.literal('REVISION_COMPACTED'),
  data: z.object({ oldest: z.number() }),
});

export interface WatchOptions {
  readonly name: string;
  readonly collection?: string | undefined;
  /** Most events of one connection; then it is closed and the watch continues after the last event. */
  readonly mostEvents?: (() => number) | undefined;
  /** Time between two events, ms. */
  readonly delayMs?: (() => number) | undefined;
}

/**
 * A watch over server-sent events that continues after the last event that it received, over lost connections and restarts.
 * After REVISION_COMPACTED it begins a new span at the oldest revision that the answer names.
 */
export class Watch {
  readonly #options: WatchOptions;
  readonly #host: RestartingHost;
  #from: string;
  #last: string | undefined;
  #received: ReceivedEvent[] = [];
  #done: WatchedSpan[] = [];
  readonly failures: string[] = [];
  readonly met = { connections: 0, compacted: 0, events: 0 };
  #isOver = false;
  #abort = new AbortController();
  readonly #running: Promise<void>;

  constructor(host: RestartingHost, from: string, options: WatchOptions) {
    this.#host = host;
    this.#from = from;
    this.#options = options;
    this.#running = this.#run();
  }

  /** Revision of the last end marker. */
  get revision(): number {
    return Number((this.#last ?? '0').split('.')[0]);
  }

  /** Returns what it received since the last call, as one span or, after a compaction, several. */
  take(): WatchedSpan[] {
    const spans = [...this.#done, this.#span()];
    this.#done = [];
    this.#from = this.#next();
    this.#received = [];
    return spans;
  }

  async close(): Promise<void> {
    this.#isOver = true;
    this.#abort.abort();
    await this.#running;
  }

  #span(): WatchedSpan {
    const { name, collection } = this.#options;
    return { name, collection, from: this.#from, received: this.#received };
  }

  /** The first id that it may receive next. */
  #next(): string {
    const last = this.#received.at(-1);
    if (last === undefined) return this.#from;
    const [revision = 0, position = 0] = last.id.split('.').map(Number);
    return last.event.kind === 'end' ? `${revision + 1}.0` : `${revision}.${position + 1}`;
  }

  async #run(): Promise<void> {
    while (!this.#isOver && this.failures.length === 0) {
      const { host, isEnding } = await this.#host.life();
      if (isEnding) {
        await wait(20);
        continue;
      }
      this.met.connections += 1;
      this.#abort = new AbortController();
      try {
        const { collection } = this.#options;
        const query = new URLSearchParams({
          from: this.#from,
          ...(collection === undefined ? {} : { collection }),
        });
        const response = await fetch(`${host.origin}/api/events?${query}`, {
          signal: this.#abort.signal,
          headers: {
            authorization: `Bearer ${host.token}`,
            ...(this.#last === undefined ? {} : { 'last-event-id': this.#last }),
          },
        });
        if (response.status === 200) await this.#receive(response);
        else this.#refused(response.status, await response.text());
      } catch (error) {
        // The connection was closed by this watch, or ended with the host's process: it continues after its last event.
        const isLost = error instanceof TypeError || this.#abort.signal.aborted;
        if (!isLost) this.failures.push(`${this.#options.name}: ${String(error)}`);
        await wait(10);
      }
      this.#abort.abort();
    }
  }

  async #receive(response: Response): Promise<void> {
    let left = this.#options.mostEvents?.() ?? Number.POSITIVE_INFINITY;
    for await (const { event, id, data } of serverSentEvents(response)) {
      // A watch that the log was compacted past is refused when it connects again.
      if (event === 'error') return void this.#ended(data);
      if (event !== 'message') return;
      if (id === undefined) throw new Error('an event has no id');
      this.#received.push({ id, event: changeEvent.parse(data) });
      this.#last = id;
      this.met.events += 1;
      left -= 1;
      if (left <= 0 || this.#isOver) return;
      const delay = this.#options.delayMs?.() ?? 0;
      if (delay > 0) await wait(delay);
    }
  }

  #ended(failure: unknown): void {
    const isExpected = compactedAnswer.safeParse(failure).success;
    if (!isExpected) this.failures.push(`${this.#options.name} ended with ${JSON.stringify(failure)}`);
  }

  #refused(status: number, text: string): void {
    const parsed = compactedAnswer.safeParse(JSON.parse(text));
    const wanted = Number(this.#next().split('.')[0]);
    if (status !== 410 || !parsed.success || parsed.data.data.oldest <= wanted) {
      this.failures.push(
        `${this.#options.name} from ${wanted} was refused with ${status} ${text.slice(0, 300)}`,
      );
      return;
    }
    this.met.compacted += 1;
    this.#done.push(this.#span());
    this.#from = `${parsed.data.data.oldest}.0`;
    this.#last = undefined;
    this.#received = [];
  }
}

/** A watch from anywhere in the log, of all collections or one, that disconnects often and reads slowly at times. */
export function churningWatch(
  host: RestartingHost,
  random: Random,
  newest: number,
  collection: string,
  name: string,
): Watch {
  const back = random.pick([0, 3, 100, 1_000, newest]);
  const from = Math.max(1, newest - back + random.between(-3, 3));
  const isSlow = random.chance(0.3);
  return new Watch(host, `${from}.${random.chance(0.2) ? 1 : 0}`, {
    name,
    collection: random.chance(0.4) ? collection : undefined,
    mostEvents: () => random.pick([1, 7, 200, 1_000]),
    delayMs: isSlow ? () => (random.chance(0.02) ? random.between(1, 60) : 0) : undefined,
  });
}
