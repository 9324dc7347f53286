import { getEventMeta } from '@orpc/client';
import type { ChangeEvent } from '../../shared/contract/events.ts';
import type { Client } from '../../shared/contract/index.ts';

/** An event with the id from which a watch resumes after it. */
export interface WatchedEvent {
  id: string;
  event: ChangeEvent;
}

export interface Watcher {
  /** Resolves with the next `count` events; rejects if the watch does. */
  take(count: number): Promise<WatchedEvent[]>;
  /** Resolves with every event up to the end marker of a revision. */
  until(revision: number): Promise<WatchedEvent[]>;
  close(): Promise<void>;
}

export async function watch(
  client: Client,
  input: { from?: string; collection?: string } = {},
  options: { lastEventId?: string } = {},
): Promise<Watcher> {
  const stream = await client.events.watch(input, options);
  async function next(): Promise<WatchedEvent> {
    const { value, done } = await stream.next();
    if (done === true || value === undefined) throw new Error('the watch ended');
    return { id: getEventMeta(value)?.id ?? 'no id', event: value };
  }
  return {
    async take(count) {
      const events: WatchedEvent[] = [];
      while (events.length < count) events.push(await next());
      return events;
    },
    async until(revision) {
      const events: WatchedEvent[] = [];
      for (;;) {
        const one = await next();
        events.push(one);
        if (one.event.kind === 'end' && one.event.revision >= revision) return events;
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
): Promise<WatchedEvent[]> {
  const events: WatchedEvent[] = [];
  for (let at = from; ; ) {
    const page = await client.events.read({ from: at, ...options });
    if (page.events.length === 0) return events;
    events.push(...page.events);
    at = page.next;
  }
}

/** Formats an event: its kind, `_id` and collection. */
export function short({ event }: WatchedEvent): string {
  if (event.kind === 'end') return `end ${event.revision}`;
  return `${event.kind} ${event.collection}/${event._id}`;
}
