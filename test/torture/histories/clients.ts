import { z } from 'zod';
import { CONTRACT_ERRORS } from '../../../shared/contract/errors.ts';
import type { Random } from '../../support/random.ts';
import type { Change, DocumentAction, DocumentOperation, Version } from './checker/document-model.ts';
import type { Acknowledged, StoredAt } from './checker/event-log.ts';
import type { Call } from './checker/linearizable.ts';
import { type Answer, type Answered, callHost, type RestartingHost } from './restarting-host.ts';

export const COLLECTION = 'c';
const DOCUMENTS = `/api/collections/${COLLECTION}/documents`;

const writeAnswer = z.object({
  inserted: z.number(),
  updated: z.number(),
  rejected: z.array(z.object({ _id: z.string().optional(), code: z.string() })),
  revision: z.number(),
});
const record = z.object({
  _id: z.string(),
  document: z.object({ v: z.number() }),
  deadlineAt: z.number().nullable(),
  hidden: z.boolean(),
});
const listAnswer = z.object({
  documents: z.array(record),
  next: z.string().nullable(),
  partial: z.boolean(),
  revision: z.number(),
});
const bulkAnswer = z.object({
  state: z.literal('done'),
  failed: z.array(z.object({ _id: z.string(), code: z.string() })).optional(),
});
const expiredAnswer = z.object({
  expired: z.array(z.object({ id: z.string(), _id: z.string(), restorable: z.unknown() })),
});
const revisionAnswer = z.object({ revision: z.number() });
const putAnswer = z.object({ created: z.boolean() });

/** The clients' operations on the documents of one epoch. */
export class Recorder {
  readonly ids: readonly string[];
  readonly calls = new Map<string, Call<DocumentOperation>[]>();
  readonly stored: StoredAt[] = [];
  readonly acknowledged: Acknowledged[] = [];
  readonly failures: string[] = [];
  readonly #versions = new Map<string, Version[]>();
  readonly met: Record<string, number> = {};
  #value = 0;

  constructor(ids: readonly string[]) {
    this.ids = ids;
  }

  value(): number {
    this.#value += 1;
    return this.#value;
  }

  note(id: string, { called, returned }: Answered, action: DocumentAction): void {
    const calls = this.calls.get(id) ?? [];
    calls.push({
      calledAt: called.at,
      returnedAt: returned.at,
      operation: { action, from: called.wall, to: returned.wall },
    });
    this.calls.set(id, calls);
    this.#noteVersions(id, action);
    this.count(
      action.is === 'read' || action.answer !== 'unknown'
        ? `${action.is} operations`
        : 'operations without an answer',
    );
  }

  /** Every version that a call may have made of a document, also by its expiration; filled until all calls have ended. */
  versionsOf(id: string): readonly Version[] {
    return this.#versionsOf(id);
  }

  #versionsOf(id: string): Version[] {
    const versions = this.#versions.get(id) ?? [];
    this.#versions.set(id, versions);
    return versions;
  }

  #noteVersions(id: string, action: DocumentAction): void {
    const versions = this.#versionsOf(id);
    if (action.is === 'write') {
      const { value, field } = action;
      versions.push({ value, field });
      // The document without its date.
      if (field !== null) versions.push({ value, field: null });
    } else if (action.is === 'expire' && typeof action.action?.value === 'number')
      versions.push({ value: action.action.value, field: null });
  }

  count(what: string): void {
    this.met[what] = (this.met[what] ?? 0) + 1;
  }

  /** A refusal that changed nothing. It has a code of the contract, and is no internal error. */
  refused(what: string, { status, code, body }: Answer): void {
    this.count(`refused with ${code}`);
    if (status >= 500 || code === undefined || !(code in CONTRACT_ERRORS))
      this.failures.push(`${what} was answered ${status} ${JSON.stringify(body).slice(0, 300)}`);
  }
}

interface Client {
  readonly random: Random;
  readonly recorder: Recorder;
  call(method: string, path: string, body?: unknown): Promise<Answered>;
}

const ACTIONS: readonly [weight: number, (client: Client) => Promise<void>][] = [
  [20, put],
  [16, write],
  [6, remove],
  [3, removeMany],
  [12, expire],
  [4, expireMany],
  [2, restore],
  [30, get],
  [8, list],
];
const CHOICES = ACTIONS.flatMap(([weight, action]) => Array.from({ length: weight }, () => action));

/** Calls the host until `isOver`, one call after the other. */
export async function runClient(
  host: RestartingHost,
  random: Random,
  recorder: Recorder,
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    const life = await host.life();
    if (life.isEnding) {
      // The next process is being started: the calls of this one have ended.
      await life.ended;
      await new Promise(resolve => setTimeout(resolve, 5));
      continue;
    }
    const client: Client = { random, recorder, call: (...call) => callHost(life, ...call) };
    await random.pick(CHOICES)(client);
  }
}

/** A date in the field of the index: often none, mostly soon, at times past. */
function fieldOf(random: Random): number | null {
  return random.chance(0.4) ? null : Date.now() + random.between(-40, 1_500);
}

function bodyOf(value: number, field: number | null): Record<string, number> {
  return field === null ? { v: value } : { v: value, exp: field };
}

async function put({ random, recorder, call }: Client): Promise<void> {
  const id = random.pick(recorder.ids);
  const [value, field] = [recorder.value(), fieldOf(random)];
  const answered = await call('PUT', `${DOCUMENTS}/${id}`, bodyOf(value, field));
  const written = { is: 'write', value, field, isInsert: false } as const;
  const { answer } = answered;
  if (answer === null) recorder.note(id, answered, { ...written, answer: 'unknown' });
  else if (answer.status !== 200) recorder.refused('a put', answer);
  else {
    const { created } = putAnswer.parse(answer.body);
    recorder.note(id, answered, { ...written, answer: created ? 'inserted' : 'updated' });
  }
}

function someOf(random: Random, ids: readonly string[]): string[] {
  const count = random.pick([1, 1, 2, 4]);
  return [...new Set(Array.from({ length: count }, () => random.pick(ids)))];
}

async function write({ random, recorder, call }: Client): Promise<void> {
  const documents = someOf(random, recorder.ids).map(id => ({
    id,
    value: recorder.value(),
    field: fieldOf(random),
  }));
  const isInsert = random.chance(0.5);
  const isAtomic = random.chance(0.4);
  const answered = await call(
    'POST',
    `${DOCUMENTS}?mode=${isInsert ? 'insert' : 'upsert'}&atomic=${isAtomic}`,
    documents.map(({ id, value, field }) => ({ _id: id, ...bodyOf(value, field) })),
  );
  const { answer } = answered;
  if (answer !== null && answer.status !== 200) return recorder.refused('a write', answer);
  const report = answer === null ? null : writeAnswer.parse(answer.body);
  const rejected = new Set(report?.rejected.map(({ _id }) => _id));
  for (const { id, value, field } of documents) {
    const isAll =
      report !== null && (report.inserted === documents.length || report.updated === documents.length);
    recorder.note(id, answered, {
      is: 'write',
      value,
      field,
      isInsert,
      answer:
        report === null
          ? 'unknown'
          : rejected.has(id)
            ? 'exists'
            : isInsert || (isAll && report.inserted > 0)
              ? 'inserted'
              : isAll
                ? 'updated'
                : 'written',
    });
  }
  const ids = documents.map(({ id }) => id).filter(id => !rejected.has(id));
  if (report !== null && ids.length > 0)
    recorder.acknowledged.push({ revision: report.revision, ids, kind: 'write' });
}

async function remove({ random, recorder, call }: Client): Promise<void> {
  const id = random.pick(recorder.ids);
  const answered = await call('DELETE', `${DOCUMENTS}/${id}`);
  const { answer } = answered;
  if (answer === null) return recorder.note(id, answered, { is: 'delete', answer: 'unknown' });
  if (answer.code === 'DOCUMENT_NOT_FOUND')
    return recorder.note(id, answered, { is: 'delete', answer: 'missing' });
  if (answer.status !== 200) return recorder.refused('a delete', answer);
  recorder.note(id, answered, { is: 'delete', answer: 'done' });
  const { revision } = revisionAnswer.parse(answer.body);
  recorder.acknowledged.push({ revision, ids: [id], kind: 'delete' });
}

/** Notes the answer of a bulk change for each of its documents. */
function noteEach(
  recorder: Recorder,
  ids: readonly string[],
  answered: Answered,
  action: { readonly is: 'delete' } | Omit<DocumentAction & { is: 'expire' }, 'answer'>,
): void {
  const { answer } = answered;
  if (answer !== null && answer.status !== 200) {
    recorder.refused(`many to ${action.is}`, answer);
    return;
  }
  const job = answer === null ? null : bulkAnswer.parse(answer.body);
  const failed = new Map(job?.failed?.map(({ _id, code }) => [_id, code]));
  for (const id of ids) {
    const code = failed.get(id);
    if (code !== undefined && code !== 'DOCUMENT_NOT_FOUND')
      recorder.failures.push(`${action.is} of ${id} failed with ${code}`);
    const outcome = job === null ? 'unknown' : code === undefined ? 'done' : 'missing';
    recorder.note(id, answered, { ...action, answer: outcome });
  }
}

async function removeMany({ random, recorder, call }: Client): Promise<void> {
  const ids = someOf(random, recorder.ids);
  noteEach(recorder, ids, await call('POST', `/api/collections/${COLLECTION}/deletions`, { ids }), {
    is: 'delete',
  });
}

async function expire({ random, recorder, call }: Client): Promise<void> {
  const id = random.pick(recorder.ids);
  const path = `${DOCUMENTS}/${id}/expiration`;
  const at = Date.now() + random.between(30, 1_500);
  const kind = random.pick(['at', 'at', 'never', 'clear']);
  const action = anyAction(random, recorder);
  const answered =
    kind === 'clear'
      ? await call('DELETE', path)
      : await call('PUT', path, kind === 'at' ? { at, ...onExpireOf(action) } : { never: true });
  const explicit = kind === 'at' ? { from: at, to: at } : kind === 'never' ? 'never' : null;
  const expiration = { is: 'expire', explicit, action: kind === 'at' ? action : null } as const;
  const { answer } = answered;
  if (answer === null) return recorder.note(id, answered, { ...expiration, answer: 'unknown' });
  if (answer.code === 'DOCUMENT_NOT_FOUND')
    return recorder.note(id, answered, { ...expiration, answer: 'missing' });
  if (answer.status !== 200) return recorder.refused('an expiration', answer);
  recorder.note(id, answered, { ...expiration, answer: 'done' });
}

async function expireMany({ random, recorder, call }: Client): Promise<void> {
  const ids = someOf(random, recorder.ids);
  const afterMs = random.between(30, 1_500);
  const isClear = random.chance(0.3);
  const action = isClear ? null : anyAction(random, recorder);
  const body = isClear
    ? { ids, clear: true }
    : { ids, set: { after: afterMs / 1_000, ...onExpireOf(action) } };
  const answered = await call('POST', `/api/collections/${COLLECTION}/expirations`, body);
  // The duration counts from an instant within the call.
  const explicit = isClear
    ? null
    : { from: answered.called.wall + afterMs, to: answered.returned.wall + afterMs };
  noteEach(recorder, ids, answered, { is: 'expire', explicit, action });
}

/** Deletes, patches a new value into the document, or replaces it by what it is without its date. */
function anyAction(random: Random, recorder: Recorder): Change | null {
  return random.pick([null, { value: recorder.value() }, { value: null }]);
}

function onExpireOf(action: Change | null): { onExpire?: object } {
  if (action === null) return {};
  const onExpire =
    action.value === null
      ? { action: 'replace', expression: 'without(doc, "exp")' }
      : { action: 'patch', patch: { v: action.value, exp: null } };
  return { onExpire };
}

/** Restores the latest removals, pinned. */
async function restore({ random, recorder, call }: Client): Promise<void> {
  const listed = await call('GET', `/api/expired?collection=${COLLECTION}&limit=20`);
  if (listed.answer === null) return;
  if (listed.answer.status !== 200) return recorder.refused('a list of removals', listed.answer);
  const entries = expiredAnswer
    .parse(listed.answer.body)
    .expired.filter(({ _id, restorable }) => restorable !== null && recorder.ids.includes(_id))
    .slice(0, random.between(1, 3));
  if (entries.length === 0) return;
  const what = { ids: entries.map(({ id }) => id) };
  const answered = await call('POST', '/api/expired/restore', { what });
  if (answered.answer !== null && answered.answer.status !== 200)
    return recorder.refused('a restore', answered.answer);
  const answer = answered.answer === null ? 'unknown' : 'tried';
  for (const id of new Set(entries.map(({ _id }) => _id)))
    recorder.note(id, answered, { is: 'restore', versions: recorder.versionsOf(id), answer });
}

async function get({ random, recorder, call }: Client): Promise<void> {
  const id = random.pick(recorder.ids);
  const includesExpired = random.chance(0.3);
  const answered = await call('GET', `${DOCUMENTS}/${id}?includeExpired=${includesExpired}`);
  const { answer } = answered;
  if (answer === null) return;
  if (answer.code === 'DOCUMENT_NOT_FOUND')
    return recorder.note(id, answered, { is: 'read', includesExpired, seen: null });
  if (answer.status !== 200) return recorder.refused('a read', answer);
  const { document, deadlineAt, hidden } = record.parse(answer.body);
  recorder.note(id, answered, {
    is: 'read',
    includesExpired,
    seen: { value: document.v, deadlineAt, isHidden: hidden },
  });
}

async function list(client: Client): Promise<void> {
  await listOnce(client, client.random.chance(0.5));
}

/** Reads every document of the epoch in one page: a read of each, and what is stored at one revision. */
export async function listOnce(
  { recorder, call }: Pick<Client, 'recorder' | 'call'>,
  includesExpired: boolean,
): Promise<number> {
  const [first = ''] = recorder.ids;
  const query = `startAt=${first}&limit=${recorder.ids.length}&includeExpired=${includesExpired}`;
  const answered = await call('GET', `${DOCUMENTS}?${query}`);
  const { answer } = answered;
  if (answer === null) return 0;
  if (answer.status !== 200) {
    recorder.refused('a list', answer);
    return 0;
  }
  const { documents, partial, revision } = listAnswer.parse(answer.body);
  if (partial) return revision;
  const shown = new Map(documents.map(one => [one._id, one]));
  for (const id of recorder.ids) {
    const one = shown.get(id);
    const seen =
      one === undefined ? null : { value: one.document.v, deadlineAt: one.deadlineAt, isHidden: one.hidden };
    recorder.note(id, answered, { is: 'read', includesExpired, seen });
  }
  if (includesExpired) recorder.stored.push({ revision, ids: [...shown.keys()] });
  return revision;
}
