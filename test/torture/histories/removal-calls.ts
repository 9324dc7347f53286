import { z } from 'zod';
import type { DocumentAction } from './checker/document-model.ts';
import { type Client, COLLECTION, DOCUMENTS, type Recorder } from './recorder.ts';
import type { Answered } from './restarting-host.ts';
import { someOf } from './write-calls.ts';

const bulkAnswer = z.object({
  state: z.literal('done'),
  failed: z.array(z.object({ _id: z.string(), code: z.string() })).optional(),
});
const revisionAnswer = z.object({ revision: z.number() });

export async function remove({ random, recorder, call }: Client): Promise<void> {
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
export function noteEach(
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

export async function removeMany({ random, recorder, call }: Client): Promise<void> {
  const ids = someOf(random, recorder.ids);
  noteEach(recorder, ids, await call('POST', `/api/collections/${COLLECTION}/deletions`, { ids }), {
    is: 'delete',
  });
}
