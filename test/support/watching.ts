import { getEventMeta } from '@orpc/client';
import type { ChangeEvent } from '../../shared/contract/events.ts';
import type { Client } from '../../shared/contract/index.ts';

/** An event with the id from which a watch resumes after it. */
export interface Told {
  id: string;
  event: ChangeEvent;
}

export interface Watcher {
  /** Resolves with the next `count` events; rejects as the watch does. */
  take(count: number): Promise<Told[]>;
  /** Resolves with every event up to the end marker of a revision. */
  until(revision: number): Promise<Told[]>;
  close(): Promise<void>;
}

export async function watch(
  client: Client,
  input: { from?: string; collection?: string } = {},
  options: { lastEventId?: string } = {},
): Promise<Watcher> {
  const stream = await client.events.watch(input, options);
  async function next(): Promise<Told> {
    const { value, done } = await stream.next();
    if (done === true || value === undefined) throw new Error('the watch ended');
    return { id: getEventMeta(value)?.id ?? 'no id', event: value };
  }
  return {
    async take(count) {
      const told: Told[] = [];
      while (told.length < count) told.push(await next());
      return told;
    },
    async until(revision) {
      const told: Told[] = [];
      for (;;) {
        const one = await next();
        told.push(one);
        if (one.event.kind === 'end' && one.event.revision >= revision) return told;
      }
    },
    close: async () => void (await stream.return?.(undefined)),
  };
}

/** Returns every event of the change log from a position on, read page by page. */
export async function readLog(
  client: Client,
  from: string,
  options: { collection?: string; limit?: number } = {},
): Promise<Told[]> {
  const told: Told[] = [];
  for (let at = from; ; ) {
    const page = await client.events.read({ from: at, ...options });
    if (page.events.length === 0) return told;
    told.push(...page.events);
    at = page.next;
  }
}

/** Formats an event: its kind, `_id` and collection. */
export function short({ event }: Told): string {
  if (event.kind === 'end') return `end ${event.revision}`;
  return `${event.kind} ${event.collection}/${event._id}`;
}
