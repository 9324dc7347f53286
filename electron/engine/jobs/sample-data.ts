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

export interface SampleAnswer {
  collection: string;
  documents: number;
  indexes: number;
}

/**
 * Writes a plausible web shop: sessions that end over the next minutes, hours and days, with the faults of real data,
 * carts that expire, and password resets that last a quarter of an hour. The first expire within seconds. Throws
 * CANCELLED when its job is cancelled; documents written so far stay.
 */
export async function loadSampleData(
  engine: JobContext,
  caller: Caller,
  wanted = 20_000,
): Promise<SampleAnswer> {
  const { backend, clock, jobs } = engine;
  const collection = free(engine, 'sessions');
  const parts: [
    string,
    number,
    TtlIndexDefinition,
    (i: number, now: number, random: () => number) => object,
  ][] = [
    [collection, wanted, indexOn('expiresAt', 'milliseconds', 0, 'at_expiry'), session],
    [
      free(engine, 'carts'),
      Math.round(wanted / 5),
      indexOn('touchedAt', 'milliseconds', 72 * 3600, 'abandoned_72h'),
      cart,
    ],
    [
      free(engine, 'password_resets'),
      Math.round(wanted / 20),
      indexOn('requestedAt', 'seconds', 900, 'requested_15m'),
      reset,
    ],
  ];
  const total = parts.reduce((sum, [, count]) => sum + count, 0);
  const job = jobs.start({
    kind: 'sample data',
    collection,
    subject: 'sample data',
    unit: 'documents',
    total,
  });
  try {
    const random = seeded(20_261_121);
    for (const [name, count, index, make] of parts) {
      checkGoesOn(job);
      backend.createCollection(name);
      backend.createIndex(name, index, { by: caller.user });
      // The collection is empty: its index is built at once, and every document is entered when it is written.
      while (backend.backfill({ kind: 'index', collection: name, index: index.name }, 1)?.finished === false);
      for (let i = 0; i < count; i += DOCUMENTS_A_TRANSACTION) {
        checkGoesOn(job);
        const now = clock.now();
        const size = Math.min(DOCUMENTS_A_TRANSACTION, count - i);
        const documents = Array.from({ length: size }, (_, k) => ({
          value: make(i + k, now, random),
          line: i + k + 1,
        }));
        const { ids } = backend.write(name, documents, { mode: 'insert', atomic: false });
        if (name === collection && i === 0) backend.setExpiration(name, ids.slice(7, 12), { never: true });
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
  return { collection, documents: total, indexes: parts.length };
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

/** The name, with a number if it is taken. */
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
  const fault = random();
  return {
    _id: `u_${token(random)}`,
    userId: 40_000 + Math.floor(random() * 20_000),
    tenant: pick(TENANTS, random),
    device: pick(DEVICES, random),
    ip: `203.0.113.${Math.floor(random() * 254) + 1}`,
    createdAt,
    // One in a hundred is from an old service that omitted the field, wrote text, or seconds.
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

/** Most within the hour, decreasing; some over a day and two weeks; and one batch that expires at once. */
function sessionLife(i: number, now: number, share: number): number {
  if (i % 60 === 0) return Math.ceil((now + 4 * MINUTE) / (5 * MINUTE)) * 5 * MINUTE - now;
  if (i % 5 < 2) return 3 * SECOND - Math.log(1 - share) * 25 * MINUTE;
  if (i % 5 < 4) return 20 * SECOND + share * share * DAY;
  return MINUTE + share * 14 * DAY;
}

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
