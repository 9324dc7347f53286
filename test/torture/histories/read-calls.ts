import { z } from 'zod';
import type { StoredAt } from './checker/event-log.ts';
import { type Client, DOCUMENTS } from './recorder.ts';

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

export async function get({ random, recorder, call }: Client): Promise<void> {
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

export async function list(client: Client): Promise<void> {
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

/** Reads the documents of the epoch that an archive has, due or not; each has a value that was written. */
export async function listArchive(
  { recorder, call }: Pick<Client, 'recorder' | 'call'>,
  archive: string,
): Promise<StoredAt> {
  const [first = ''] = recorder.ids;
  const query = `startAt=${first}&limit=${recorder.ids.length}&includeExpired=true`;
  const { answer } = await call('GET', `/api/collections/${archive}/documents?${query}`);
  if (answer?.status !== 200) throw new Error(`${archive} cannot be listed: ${JSON.stringify(answer)}`);
  const { documents, revision } = listAnswer.parse(answer.body);
  for (const { _id, document } of documents)
    if (!recorder.versionsOf(_id).some(({ value }) => value === document.v))
      recorder.failures.push(`${archive} has ${_id} with ${document.v}, which was never written`);
  return { revision, ids: documents.map(({ _id }) => _id) };
}
