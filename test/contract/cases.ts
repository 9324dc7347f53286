import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, type TestContext, vi } from 'vitest';
import type { Capabilities, Feature } from '../../shared/contract/capabilities.ts';
import { missingBecause } from '../../shared/contract/capabilities.ts';
import type { Client } from '../../shared/contract/index.ts';
import type { Job } from '../../shared/contract/jobs.ts';
import { openConnections, type TestConnections } from '../support/connections.ts';
import { runsHere } from '../support/runs-here.ts';
import type { RunningEngine, TestedEngine, Written } from './engines.ts';
import { checkTable, type Outcome } from './table.ts';

/** Steps that take milliseconds take seconds on a loaded machine. */
const PATIENT = { timeout: 30_000, interval: 50 };
const HOUR = 3_600;
const MINUTE_MS = 60_000;

/** The parts of a case: one engine, one collection with records, and a client of the connection. */
interface Place {
  readonly engine: TestedEngine;
  readonly client: Client;
  readonly collection: string;
  id(n: string): string;
  write(...records: readonly Written[]): Promise<void>;
  /** Switches read-only mode of the connection. Returns a new client of it. */
  setReadOnly(readOnly: boolean): Promise<Client>;
}

interface Case {
  readonly title: string;
  /** Features without which the case is left out, with the reason that the engine gives. */
  readonly needs: readonly Feature[];
  /** Needs deadlines: of the records themselves, or from a TTL index over their column. */
  readonly deadlines?: true;
  readonly records: readonly Written[];
  run(place: Place): Promise<void>;
}

const names = (count: number, ttl: number | null): Written[] =>
  Array.from({ length: count }, (_, i) => ({ n: `r${String(i).padStart(3, '0')}`, ttl }));

/** The column that holds the deadlines of a table. */
const BY_COLUMN = { kind: 'field', field: 'expires_at', unit: 'seconds', expireAfter: 0 } as const;

const refused = (code: string) => expect.objectContaining({ code });

const CASES: readonly Case[] = [
  {
    title: 'a collection is listed with the number of its documents',
    needs: [],
    records: names(25, null),
    async run({ client, collection }) {
      const found = (await client.collections.list()).find(({ name }) => name === collection);
      expect(found).toMatchObject({ documents: 25 });
    },
  },
  {
    title: 'documents with a deadline are counted separately from those without',
    needs: [],
    deadlines: true,
    records: [...names(5, HOUR), { n: 'z1', ttl: null }, { n: 'z2', ttl: null }],
    async run({ client, collection }) {
      const found = (await client.collections.list()).find(({ name }) => name === collection);
      expect(found).toMatchObject({ documents: 7, withDeadline: 5 });
    },
  },
  {
    title: 'pages in the order of ids hold every document once',
    needs: [],
    records: names(23, null),
    async run({ client, collection, id }) {
      const seen: string[] = [];
      let after: string | undefined;
      do {
        const page = await client.documents.list({ collection, limit: 10, ...(after && { after }) });
        seen.push(...page.documents.map(({ _id }) => _id));
        after = page.next ?? undefined;
      } while (after !== undefined);
      expect(seen).toEqual(names(23, null).map(({ n }) => id(n)));
    },
  },
  {
    title: 'in the order of deadlines the next one to expire comes first',
    needs: [],
    deadlines: true,
    records: [
      { n: 'later', ttl: 3 * HOUR },
      { n: 'sooner', ttl: HOUR },
      { n: 'between', ttl: 2 * HOUR },
    ],
    async run({ client, collection, id }) {
      const { documents } = await client.documents.list({ collection, sort: 'deadline' });
      expect(documents.map(({ _id }) => _id)).toEqual(['sooner', 'between', 'later'].map(id));
    },
  },
  {
    title: 'a document is read with its value and its deadline',
    needs: [],
    deadlines: true,
    records: [{ n: 'one', ttl: HOUR }],
    async run({ client, collection, id, engine }) {
      const { document, deadlineAt } = await client.documents.get({ collection, id: id('one') });
      expect(JSON.stringify(document)).toContain('one');
      const differs = Math.abs((deadlineAt ?? 0) - (Date.now() + HOUR * 1_000));
      expect(differs).toBeLessThan(engine.precisionMs + 30_000);
    },
  },
  {
    title: '[X2] the timeline counts each deadline in its interval',
    needs: [],
    deadlines: true,
    records: [
      ...names(4, HOUR),
      { n: 'y1', ttl: 3 * HOUR },
      { n: 'y2', ttl: 3 * HOUR },
      { n: 'z', ttl: null },
    ],
    async run({ client, collection }) {
      const now = Date.now();
      const { buckets } = await client.timeline.get({
        collection,
        from: now,
        to: now + 4 * HOUR * 1_000,
        buckets: 2,
      });
      expect(buckets.map(({ due }) => due)).toEqual([4, 2]);
    },
  },
  {
    title: '[X1] the deadline of a document is explained in a sentence',
    needs: [],
    deadlines: true,
    records: [{ n: 'one', ttl: HOUR }],
    async run({ client, collection, id }) {
      const explained = await client.documents.explain({ collection, id: id('one') });
      expect(explained.sentence).toMatch(/\.$/);
      expect(explained.deadlineAt).toEqual(expect.any(Number));
    },
  },
  {
    title: '[E1] a deadline is set and cleared, and clearing never deletes',
    needs: ['expiration'],
    records: [{ n: 'one', ttl: null }],
    async run({ client, collection, id, engine }) {
      const params = { collection, id: id('one') };
      const at = Math.ceil(Date.now() / 1_000) * 1_000 + 2 * HOUR * 1_000;
      const set = await client.documents.setExpiration({ params, body: { at } });
      expect(Math.abs((set.deadlineAt ?? 0) - at)).toBeLessThanOrEqual(engine.precisionMs);
      expect((await client.documents.clearExpiration(params)).deadlineAt).toBeNull();
      expect((await client.documents.get(params))._id).toBe(id('one'));
    },
  },
  {
    title: '[E1] instants in the past and durations of 0 are refused, and change nothing',
    needs: ['expiration'],
    records: [{ n: 'one', ttl: HOUR }],
    async run({ client, collection, id }) {
      const params = { collection, id: id('one') };
      const before = (await client.documents.get(params)).deadlineAt;
      for (const body of [{ at: 1_000 }, { at: 0 }, { after: 0 }, { after: -1 }, { after: 1e300 }])
        await expect(client.documents.setExpiration({ params, body })).rejects.toEqual(
          refused('INVALID_EXPIRATION'),
        );
      expect((await client.documents.get(params)).deadlineAt).toBe(before);
    },
  },
  {
    title: '[E3] the deadlines of many documents are set at once, with the exact effect first',
    needs: ['expiration'],
    records: names(30, null),
    async run({ client, collection, id }) {
      const ids = names(20, null).map(({ n }) => id(n));
      const effect = await client.documents.previewExpirations({ collection, ids, set: { after: 2 } });
      expect(effect).toMatchObject({ due: 20 });
      const job = await client.documents.setExpirations({
        collection,
        ids,
        set: { after: 2 * HOUR },
      });
      expect(job).toMatchObject({ state: 'done', done: 20 });
      await vi.waitFor(
        async () => expect((await summaryOf(client, collection))?.withDeadline).toBe(20),
        PATIENT,
      );
    },
  },
  {
    title: '[E3] a condition leaves documents unchanged, as many as the preview counts',
    needs: ['conditionalExpiration'],
    records: [...names(3, HOUR), { n: 'z1', ttl: null }, { n: 'z2', ttl: null }],
    async run({ client, collection, id }) {
      const set = { after: 2 * HOUR };
      const change = { collection, filter: {}, set, only: 'NX' as const };
      expect(await client.documents.previewExpirations(change)).toMatchObject({ due: 2, unchanged: 3 });
      const started = await client.documents.setExpirations(change);
      const job = await ended(client, started.id);
      expect(job).toMatchObject({ state: 'done', succeeded: 2, unchangedCount: 3, failedCount: 0 });
      const params = { collection, id: id('z1') };
      const earlier = { params, query: { only: 'GT' as const }, body: { after: HOUR } };
      await expect(client.documents.setExpiration(earlier)).rejects.toEqual(refused('EXPECTATION_FAILED'));
    },
  },
  {
    title: '[E3] a bulk change is undone where the deadlines are still its own',
    needs: ['undoExpiration'],
    records: [...names(4, HOUR), { n: 'z', ttl: null }],
    async run({ client, collection, id }) {
      const deadlineOf = async (n: string) =>
        (await client.documents.get({ collection, id: id(n) })).deadlineAt;
      const before = await deadlineOf('r000');
      const ids = [...names(4, HOUR).map(({ n }) => n), 'z'].map(id);
      const change = await client.documents.setExpirations({ collection, ids, set: { after: 5 * HOUR } });
      expect(change).toMatchObject({ state: 'done', undoable: 5 });
      await client.documents.clearExpiration({ collection, id: id('r001') });
      const started = await client.jobs.undo({ job: change.id });
      const undone = await ended(client, started.id);
      expect(undone).toMatchObject({ state: 'done', succeeded: 4, failed: [{ _id: id('r001') }] });
      expect([await deadlineOf('r000'), await deadlineOf('r001')]).toEqual([before, null]);
      expect(await deadlineOf('z')).toBeNull();
      const again = await ended(client, (await client.jobs.undo({ job: change.id })).id);
      expect(again).toMatchObject({ succeeded: 0, failedCount: 1 });
    },
  },
  {
    title: 'a document past its deadline is removed, and listed with its lag',
    needs: [],
    deadlines: true,
    records: [
      { n: 'stays', ttl: HOUR },
      { n: 'leaves', ttl: 2 },
    ],
    async run({ client, collection, id, engine }) {
      await vi.waitFor(async () => expect((await summaryOf(client, collection))?.documents).toBe(1), PATIENT);
      await vi.waitFor(async () => {
        if (!engine.listsExpired) return;
        const { expired } = await client.metrics.expired({ collection });
        expect(expired).toMatchObject([{ _id: id('leaves'), cause: 'expired' }]);
      }, PATIENT);
      const { removed, lag } = await client.metrics.get({ collection });
      expect(removed).toBe(1);
      expect(lag.maxMs).toBeGreaterThanOrEqual(0);
    },
  },
  {
    title: '[C3] an edit of the value keeps the deadline',
    needs: ['edit'],
    deadlines: true,
    records: [{ n: 'one', ttl: HOUR }],
    async run({ client, collection, id, engine }) {
      const params = { collection, id: id('one') };
      const { document, deadlineAt } = await client.documents.get(params);
      await client.documents.put({ params, body: { ...document, value: 'edited' } });
      const after = await client.documents.get(params);
      expect(after.document).toMatchObject({ value: 'edited' });
      expect(Math.abs((after.deadlineAt ?? 0) - (deadlineAt ?? 0))).toBeLessThanOrEqual(engine.precisionMs);
    },
  },
  {
    title: 'documents are deleted by hand, one and many',
    needs: ['delete'],
    records: names(12, null),
    async run({ client, collection, id }) {
      await client.documents.delete({ collection, id: id('r000') });
      const ids = names(5, null)
        .slice(1)
        .map(({ n }) => id(n));
      expect(await client.documents.deleteMany({ collection, ids })).toMatchObject({
        state: 'done',
        done: 4,
      });
      const asked = [...ids, id('r000'), id('r011')];
      expect((await client.documents.missing({ collection, ids: asked })).missing.sort()).toEqual(
        [...ids, id('r000')].sort(),
      );
      await vi.waitFor(async () => expect((await summaryOf(client, collection))?.documents).toBe(7), PATIENT);
    },
  },
  {
    title: 'a collection or a document that does not exist is named in a typed error',
    needs: [],
    records: names(1, null),
    async run({ client, collection, id }) {
      await expect(client.documents.list({ collection: 'nowhere' })).rejects.toEqual(
        refused('COLLECTION_NOT_FOUND'),
      );
      await expect(client.documents.get({ collection, id: id('nothing') })).rejects.toEqual(
        refused('DOCUMENT_NOT_FOUND'),
      );
    },
  },
  {
    title: '[P2] a read-only connection reads, and writes nothing',
    needs: [],
    records: [{ n: 'one', ttl: null }],
    async run({ collection, id, setReadOnly }) {
      const reading = await setReadOnly(true);
      const params = { collection, id: id('one') };
      await vi.waitFor(
        async () => expect((await reading.documents.get(params))._id).toBe(id('one')),
        PATIENT,
      );
      const { code } = await failureOf(reading.documents.delete(params));
      expect(['READ_ONLY', 'NOT_SUPPORTED']).toContain(code);
      expect((await reading.documents.get(params))._id).toBe(id('one'));
      await setReadOnly(false);
    },
  },
  {
    title: 'ids with quotes, slashes, spaces and letters of other scripts are read as they were written',
    needs: [],
    records: [
      { n: `a'"b`, ttl: null },
      { n: 'c d;--', ttl: null },
      { n: 'é漢字🙂', ttl: null },
    ],
    async run({ client, collection, id }) {
      const { documents } = await client.documents.list({ collection });
      expect(documents.map(({ _id }) => _id).sort()).toEqual([`a'"b`, 'c d;--', 'é漢字🙂'].map(id).sort());
      for (const { _id } of documents)
        expect((await client.documents.get({ collection, id: _id }))._id).toBe(_id);
    },
  },
  {
    title: 'an export has every document with its deadline, and its import restores them',
    needs: ['export', 'import', 'delete'],
    deadlines: true,
    records: [...names(5, HOUR), { n: 'z1', ttl: null }],
    async run({ engine, client, collection }) {
      const listed = async () => (await client.documents.list({ collection, sort: '_id' })).documents;
      const before = await listed();
      const { text, documents } = await client.exports.read({ collection, deadlines: true });
      expect(documents).toBe(6);
      const ids = before.map(({ _id }) => _id);
      expect(await client.documents.deleteMany({ collection, ids })).toMatchObject({ succeeded: 6 });
      expect(await imported(client, collection, text)).toMatchObject({ inserted: 6, rejectedCount: 0 });
      await vi.waitFor(async () => expect(await listed()).toHaveLength(6), PATIENT);
      const after = await listed();
      expect(after.map(({ _id }) => _id)).toEqual(ids);
      after.forEach(({ deadlineAt }, i) => {
        const former = before[i]?.deadlineAt ?? null;
        expect(deadlineAt === null).toBe(former === null);
        expect(Math.abs((deadlineAt ?? 0) - (former ?? 0))).toBeLessThanOrEqual(engine.precisionMs);
      });
    },
  },
  {
    title: 'an import refuses what exists by `insert`, and replaces it by `upsert`',
    needs: ['export', 'import'],
    records: names(3, null),
    async run({ client, collection }) {
      const { text } = await client.exports.read({ collection, deadlines: true });
      const refused = await imported(client, collection, text, 'insert');
      expect(refused).toMatchObject({ state: 'done', inserted: 0, updated: 0, rejectedCount: 3 });
      expect(refused.rejected?.map(({ code, line }) => [code, line])).toEqual([
        ['DOCUMENT_EXISTS', 1],
        ['DOCUMENT_EXISTS', 2],
        ['DOCUMENT_EXISTS', 3],
      ]);
      expect(await imported(client, collection, text)).toMatchObject({ updated: 3, rejectedCount: 0 });
    },
  },
  {
    title: '[M1] figures by the minute are kept',
    needs: ['series'],
    records: names(3, null),
    async run({ client, collection }) {
      const to = Date.now() + MINUTE_MS;
      const points = await client.metrics.series({ collection, from: to - 5 * MINUTE_MS, to });
      expect(points.at(-1)).toMatchObject({ documents: 3 });
    },
  },
];

/** Resolves with a job when it has ended. */
function ended(client: Client, job: string) {
  return vi.waitFor(async () => {
    const found = await client.jobs.get({ job });
    if (found.state === 'running') throw new Error('it runs');
    return found;
  }, PATIENT);
}

async function summaryOf(client: Client, collection: string) {
  return (await client.collections.list()).find(({ name }) => name === collection);
}

async function imported(
  client: Client,
  collection: string,
  text: string,
  mode: 'insert' | 'upsert' = 'upsert',
): Promise<Job> {
  const { id: job } = await client.imports.start({ collection, mode });
  await client.imports.append({ job, text });
  return client.imports.finish({ job });
}

async function failureOf(call: Promise<unknown>): Promise<{ code: unknown }> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  return { code: typeof error === 'object' && error !== null && 'code' in error ? error.code : null };
}

/** Registers every case for each engine, and compares the outcome with the table in docs/engines.md. */
export function testContract(engines: readonly TestedEngine[]): void {
  const outcomes: Outcome[] = [];

  describe.each(engines)('$name', engine => {
    const runs = runsHere(`the contract on ${engine.name}`, engine.missing);
    let running: RunningEngine;
    let all: TestConnections;
    let folder: string;
    let connection: string | undefined;
    let capabilities: Capabilities;

    beforeAll(async () => {
      if (!runs) return;
      folder = mkdtempSync(join(tmpdir(), 'sandglass-contract-'));
      [running, all] = await Promise.all([engine.start(), openConnections(folder)]);
      if (running.target !== null) {
        const added = await all.client().connections.add({ name: 'server', target: running.target });
        connection = added.id;
      }
      ({ capabilities } = await all.client(connection).store.info());
      if (missingBecause(capabilities, 'governance') === null)
        await all.client(connection).governance.createSchema();
    }, 60_000);
    afterAll(async () => {
      if (!runs) return;
      await all.stop();
      await running.stop();
      rmSync(folder, { recursive: true, force: true });
    }, 60_000);

    /** Skips the case with the engine's reason if the engine lacks a feature. */
    function skipMissing({ needs, deadlines, title }: Case, { skip }: TestContext): void {
      const asked = [
        ...needs,
        ...(deadlines && !engine.documentsHaveDeadlines ? (['ttlIndexes'] as const) : []),
      ];
      for (const feature of asked) {
        const reason = missingBecause(capabilities, feature);
        if (reason === null) continue;
        outcomes.push({ engine: engine.name, title, reason });
        skip(reason);
      }
    }

    const cases = CASES.map((one, i) => ({ ...one, i }));
    it.runIf(runs).for(cases)('$title', { timeout: 90_000 }, async (one, context) => {
      skipMissing(one, context);
      const { title, records, run, i } = one;
      const name = `case${String.fromCharCode(97 + i)}`;
      const collection = running.collection(name);
      const client = all.client(connection);
      const write = (...written: readonly Written[]) => running.write(all.client(), name, written);
      await write(...records);
      await vi.waitFor(
        async () => expect((await summaryOf(client, collection))?.documents).toBe(records.length),
        PATIENT,
      );
      if (one.deadlines && !engine.documentsHaveDeadlines)
        // Rows are listed where the index keeps copies.
        await client.ttlIndexes.create({ collection, source: BY_COLUMN, retention: HOUR });
      await run({
        engine,
        client,
        collection,
        id: n => running.id(name, n),
        write,
        async setReadOnly(readOnly) {
          await all.client().connections.change({ id: connection ?? 'home', readOnly });
          // The engine was started again, and its ports were closed.
          return all.client(connection);
        },
      });
      outcomes.push({ engine: engine.name, title, reason: null });
    });
  });

  it('the table in docs/engines.md is that of this run', () => {
    checkTable(
      CASES.map(({ title }) => title),
      outcomes,
    );
  });
}
