import { SandglassError } from '../../../shared/model/errors.ts';
import { EXPLICIT, type TtlIndexDefinition } from '../../../shared/model/ttl-index.ts';
import type { Caller } from '../access/caller.ts';
import { errorForCaller } from '../platform/defect.ts';
import type { JobContext } from './job-context.ts';
import type { RunningJob } from './job-registry.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const DOCUMENTS_A_TRANSACTION = 500;
/** Sessions end this long after their last use. */
const IDLE_DAYS = 7;

export interface SampleAnswer {
  collection: string;
  documents: number;
  indexes: number;
}

interface SampleCollection {
  name: string;
  documents: number;
  indexes: readonly TtlIndexDefinition[];
  make: (i: number, now: number, random: () => number) => object;
}

/**
 * Writes the data of a web shop: sessions that end within minutes to a week after their last use, some of them at an
 * instant set by hand and some with the faults of real data; carts that expire; and password resets that are valid for
 * a quarter of an hour. The first documents expire within seconds. Throws CANCELLED when its job is cancelled;
 * documents written until then stay.
 */
export async function loadSampleData(
  engine: JobContext,
  caller: Caller,
  wanted = 20_000,
): Promise<SampleAnswer> {
  const { backend, clock, jobs } = engine;
  const collection = free(engine, 'sessions');
  const parts: SampleCollection[] = [
    {
      name: collection,
      documents: wanted,
      indexes: [
        indexOn('expiresAt', 'milliseconds', 0, 'at_expiry'),
        indexOn('lastSeenAt', 'milliseconds', IDLE_DAYS * 86_400, `idle_${IDLE_DAYS}d`),
      ],
      make: session,
    },
    {
      name: free(engine, 'carts'),
      documents: Math.round(wanted / 5),
      indexes: [indexOn('touchedAt', 'milliseconds', 72 * 3600, 'abandoned_72h')],
      make: cart,
    },
    {
      name: free(engine, 'password_resets'),
      documents: Math.round(wanted / 20),
      indexes: [indexOn('requestedAt', 'seconds', 900, 'requested_15m')],
      make: reset,
    },
  ];
  const total = parts.reduce((sum, part) => sum + part.documents, 0);
  const job = jobs.start({
    kind: 'sample data',
    collection,
    subject: 'sample data',
    unit: 'documents',
    total,
  });
  try {
    const random = seeded(20_261_121);
    for (const { name, documents: count, indexes, make } of parts) {
      checkGoesOn(job);
      backend.createCollection(name);
      for (const index of indexes) backend.createIndex(name, index, { by: caller.user });
      // While the collection is empty, its indexes are built at once; every document is then entered when it is
      // written.
      const pending = () => backend.pendingBackfills().find(build => build.collection === name);
      for (let build = pending(); build !== undefined; build = pending()) backend.backfill(build, 1);
      for (let i = 0; i < count; i += DOCUMENTS_A_TRANSACTION) {
        checkGoesOn(job);
        const now = clock.now();
        const size = Math.min(DOCUMENTS_A_TRANSACTION, count - i);
        const documents = Array.from({ length: size }, (_, k) => ({
          value: make(i + k, now, random),
          line: i + k + 1,
        }));
        const { ids } = backend.write(name, documents, { mode: 'insert', atomic: false });
        if (name === collection && i === 0) setByHand(engine, name, ids, now);
        job.update({ done: job.current.done + size });
        await clock.sleep(0);
      }
    }
  } catch (error) {
    // A cancelled job has ended already.
    const reported = errorForCaller(engine.log, 'Loading the sample data', error);
    job.failed(reported.message);
    throw reported;
  }
  job.done();
  return { collection, documents: total, indexes: parts.reduce((sum, part) => sum + part.indexes.length, 0) };
}

/** Pins five documents, and sets the instant of eighty others: soon, within the hour, and tomorrow. */
function setByHand({ backend }: JobContext, collection: string, ids: readonly string[], now: number): void {
  backend.setExpiration(collection, ids.slice(7, 12), { never: true });
  for (const [at, from, to] of [
    [now + 40 * SECOND, 12, 42],
    [now + 12 * MINUTE, 42, 67],
    [now + DAY, 67, 92],
  ] as const)
    backend.setExpiration(collection, ids.slice(from, to), { at });
}

/** Throws CANCELLED, and ends the job, if it was cancelled. */
function checkGoesOn(job: RunningJob): void {
  if (!job.signal.aborted) return;
  job.cancelled();
  throw new SandglassError('CANCELLED', 'Loading was cancelled; documents written so far stay.', {
    job: job.id,
  });
}

function indexOn(
  field: string,
  unit: 'seconds' | 'milliseconds',
  expireAfter: number,
  name: string,
): TtlIndexDefinition {
  return {
    name,
    source: { kind: 'field', field, unit, expireAfter },
    onExpire: { action: 'delete' },
    schedule: { mode: 'exact' },
    limits: {},
    retention: null,
  };
}

/** Returns the name, with a number if it is in use. */
function free({ backend }: JobContext, name: string): string {
  for (let i = 1, candidate = name; ; i++) {
    if (!backend.hasCollection(candidate) && candidate !== EXPLICIT) return candidate;
    candidate = `${name}_${i + 1}`;
  }
}

const DEVICES = ['iPhone 17', 'Pixel 11', 'MacBook', 'Windows', 'iPad', 'Galaxy S27', 'Linux'];
const TENANTS = ['acme', 'northwind', 'globex', 'initech', 'umbrella', 'hooli'];

function session(i: number, now: number, random: () => number): object {
  const livesFor = Math.floor(sessionLife(i, now, random()));
  const createdAt = now - Math.floor(random() * 14 * DAY);
  // Every eighth was last used almost a week ago.
  const idleFor = i % 8 === 3 ? IDLE_DAYS * DAY - idleRest(random()) : random() ** 2 * 3 * DAY;
  const lastSeenAt = now - Math.floor(idleFor);
  const fault = random();
  return {
    _id: `u_${token(random)}`,
    userId: 40_000 + Math.floor(random() * 20_000),
    tenant: pick(TENANTS, random),
    device: pick(DEVICES, random),
    ip: `203.0.113.${Math.floor(random() * 254) + 1}`,
    createdAt: Math.min(createdAt, lastSeenAt),
    lastSeenAt,
    // One in a hundred has a fault of an old service: the field is missing, or contains text or seconds.
    ...(fault < 0.006
      ? {}
      : {
          expiresAt:
            fault < 0.009
              ? 'when the user signs out'
              : fault < 0.01
                ? Math.floor((now + livesFor) / SECOND)
                : now + livesFor,
        }),
    mfa: random() < 0.3,
  };
}

/**
 * Most end within the hour, decreasingly; some within a day and within two weeks; and one batch at a single instant.
 */
function sessionLife(i: number, now: number, share: number): number {
  if (i % 60 === 0) return Math.ceil((now + 4 * MINUTE) / (5 * MINUTE)) * 5 * MINUTE - now;
  if (i % 5 < 2) return 3 * SECOND - Math.log(1 - share) * 25 * MINUTE;
  if (i % 5 < 4) return 20 * SECOND + share * share * DAY;
  return MINUTE + share * 14 * DAY;
}

/** Time until an idle session ends: most within the hour. */
const idleRest = (share: number): number => 15 * SECOND - Math.log(1 - share) * 40 * MINUTE;

function cart(_i: number, now: number, random: () => number): object {
  return {
    _id: `cart_${token(random)}`,
    customer: `c_${Math.floor(random() * 9_000) + 1_000}`,
    items: Math.floor(random() * 7) + 1,
    total: Math.round(random() * 30_000) / 100,
    currency: 'EUR',
    touchedAt: now - Math.floor(random() * 72 * HOUR) + 8 * SECOND,
  };
}

function reset(_i: number, now: number, random: () => number): object {
  const requestedAt = new Date(now - Math.floor(random() * 15 * MINUTE) + 5 * SECOND).toISOString();
  return {
    _id: `pr_${token(random)}`,
    email: `user${Math.floor(random() * 90_000)}@example.com`,
    requestedAt,
  };
}

function pick<Item>(
  items: readonly [Item, ...Item[]] | readonly Item[],
  random: () => number,
): Item | undefined {
  return items[Math.floor(random() * items.length)];
}

function token(random: () => number): string {
  const half = () =>
    Math.floor(random() * 2 ** 24)
      .toString(16)
      .padStart(6, '0');
  return half() + half();
}

/** A seeded generator (mulberry32), so that the data is the same every time. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
