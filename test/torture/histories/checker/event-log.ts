import type { ChangeEvent } from '../../../../shared/contract/events.ts';

/** An event as a watch received it; `id` is `revision.position`. */
export interface ReceivedEvent {
  readonly id: string;
  readonly event: ChangeEvent;
}

/** The events that one watch received since `from`, over any number of connections. `from` is inclusive. */
export interface WatchedSpan {
  readonly name: string;
  readonly from: string;
  readonly collection: string | undefined;
  readonly received: readonly ReceivedEvent[];
}

/** The documents of a collection that a list showed as stored at a revision, due or not. */
export interface StoredAt {
  readonly revision: number;
  readonly ids: readonly string[];
}

/** A change that a call reported as made at a revision. */
export interface Acknowledged {
  readonly revision: number;
  readonly ids: readonly string[];
  readonly kind: 'write' | 'delete';
}

/** A removal whose document was purged: its events up to the revision may be gone. */
export interface Purged {
  readonly _id: string;
  readonly revision: number;
}

const MOST_FAILURES = 5;

/** Orders two ids. */
export function compareIds(a: string, b: string): number {
  const [one, other] = [placeOf(a), placeOf(b)];
  return one.revision - other.revision || one.position - other.position;
}

function placeOf(id: string): { revision: number; position: number } {
  const [revision = Number.NaN, position = 0] = id.split('.').map(Number);
  return { revision, position };
}

/** [V2, V3] What is missing, twice or out of order in the events of all collections from `from` on. */
export function gaps(from: string, events: readonly ReceivedEvent[]): string[] {
  const failures: string[] = [];
  let { revision, position } = placeOf(from);
  for (const { id, event } of events) {
    if (id !== `${revision}.${position}` || event.revision !== revision)
      failures.push(`received ${id} (${event.kind}) instead of ${revision}.${position}`);
    const found = placeOf(id);
    if (event.kind === 'end') {
      revision = found.revision + 1;
      position = 0;
    } else {
      revision = found.revision;
      position = found.position + 1;
    }
    if (failures.length >= MOST_FAILURES) break;
  }
  return failures;
}

/**
 * [V3] How a watch differs from the log: each of its events once, in order, from its start to the last that it received, except
 * those that `isPurged` permits to be gone.
 */
export function watchDifferences(
  log: readonly ReceivedEvent[],
  span: WatchedSpan,
  isPurged: (event: ChangeEvent) => boolean = () => false,
): string[] {
  const { name, from, collection, received } = span;
  const last = received.at(-1)?.id;
  if (last === undefined) return [];
  const revisions = new Set<number>();
  for (const { event } of log)
    if (event.kind !== 'end' && event.collection === collection) revisions.add(event.revision);
  const expected = log.filter(({ id, event }) => {
    if (compareIds(id, from) < 0 || compareIds(id, last) > 0) return false;
    if (collection === undefined) return true;
    return event.kind === 'end' ? revisions.has(event.revision) : event.collection === collection;
  });
  let next = 0;
  for (const wanted of expected) {
    if (text(received[next]) === text(wanted)) next += 1;
    else if (!isPurged(wanted.event))
      return [`${name} from ${from}: received ${text(received[next])} instead of ${text(wanted)}`];
  }
  const more = received[next];
  return more === undefined ? [] : [`${name} from ${from}: received ${text(more)} instead of nothing`];
}

/** Returns whether an event of a collection may be gone after these purges. */
export function purgedBy(purges: readonly Purged[], collection: string): (event: ChangeEvent) => boolean {
  const through = new Map<string, number>();
  for (const { _id, revision } of purges) through.set(_id, Math.max(revision, through.get(_id) ?? 0));
  return event =>
    event.kind !== 'end' &&
    event.collection === collection &&
    event.revision <= (through.get(event._id) ?? 0);
}

/** [A4] How the documents that were moved out of a collection differ, by revision, from those inserted into others. */
export function moveDifferences(log: readonly ReceivedEvent[], collection: string): string[] {
  const failures: string[] = [];
  for (const [revision, events] of Map.groupBy(log, ({ event }) => event.revision)) {
    const moved = new Set<string>();
    const inserted = new Set<string>();
    for (const { event } of events) {
      if (event.kind === 'expire' && event.action === 'move') moved.add(event._id);
      else if (event.kind === 'insert' && event.collection !== collection) inserted.add(event._id);
    }
    const wrong = [...moved.symmetricDifference(inserted)];
    if (wrong.length > 0)
      failures.push(`at revision ${revision} moved or inserted into an archive alone: ${wrong.join(', ')}`);
  }
  return failures.slice(0, MOST_FAILURES);
}

function text(one: ReceivedEvent | undefined): string {
  return one === undefined ? 'nothing' : `${one.id} ${JSON.stringify(one.event)}`;
}

/**
 * Replays the events of a collection over no documents. Returns what cannot follow (an insert of a document that is there,
 * a removal of one that is not, an expiry before its deadline), and where the result differs from the lists and from
 * acknowledged changes.
 */
export function replayDifferences(
  log: readonly ReceivedEvent[],
  collection: string,
  known: { stored: readonly StoredAt[]; acknowledged: readonly Acknowledged[] },
): string[] {
  const failures: string[] = [];
  const stored = new Map(known.stored.map(one => [one.revision, one]));
  const acknowledged = Map.groupBy(known.acknowledged, ({ revision }) => revision);
  const present = new Set<string>();
  let changed = new Map<string, Set<string>>();
  for (const { id, event } of log) {
    if (failures.length >= MOST_FAILURES) break;
    if (event.kind === 'end') {
      const list = stored.get(event.revision);
      const wrong = list === undefined ? [] : [...present.symmetricDifference(new Set(list.ids))];
      if (wrong.length > 0)
        failures.push(`at revision ${event.revision} list and events differ: ${wrong.join(', ')}`);
      for (const { kind, ids } of acknowledged.get(event.revision) ?? [])
        for (const one of ids)
          if (!changed.get(one)?.has(kind))
            failures.push(`the ${kind} of ${one} was acknowledged at ${event.revision} and has no event`);
      changed = new Map();
      continue;
    }
    if (event.collection !== collection || event.kind === 'definition') continue;
    const { _id, kind } = event;
    if ((kind === 'insert') === present.has(_id))
      failures.push(`${id}: ${kind} of ${_id}, which is ${kind === 'insert' ? 'there' : 'not there'}`);
    if (kind === 'expire' && event.deadlineAt > event.at)
      failures.push(`${id}: ${_id} expired at ${event.at}, before its deadline ${event.deadlineAt}`);
    if (kind === 'insert') present.add(_id);
    if (kind === 'delete' || (kind === 'expire' && (event.action === 'delete' || event.action === 'move')))
      present.delete(_id);
    const kinds = changed.get(_id) ?? new Set();
    kinds.add(kind === 'insert' || kind === 'update' ? 'write' : kind);
    changed.set(_id, kinds);
  }
  return failures;
}
