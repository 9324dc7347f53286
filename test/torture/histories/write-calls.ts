import { z } from 'zod';
import type { Random } from '../../support/random.ts';
import { type Client, DOCUMENTS } from './recorder.ts';

const writeAnswer = z.object({
  inserted: z.number(),
  updated: z.number(),
  rejected: z.array(z.object({ _id: z.string().optional(), code: z.string() })),
  revision: z.number(),
});
const putAnswer = z.object({ created: z.boolean() });

/** A date in the field of the index: often none, mostly soon, at times past or at the very instant at which a clock stands still. */
function fieldOf({ random, recorder }: Pick<Client, 'random' | 'recorder'>): number | null {
  if (random.chance(0.4)) return null;
  const [from, to] = random.chance(0.1) ? [-1, 1] : [-40, 1_500];
  return recorder.time.now() + random.between(from, to);
}

function bodyOf(value: number, field: number | null): Record<string, number> {
  return field === null ? { v: value } : { v: value, exp: field };
}

export async function put(client: Client): Promise<void> {
  const { random, recorder, call } = client;
  const id = random.pick(recorder.ids);
  const [value, field] = [recorder.value(), fieldOf(client)];
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

export function someOf(random: Random, ids: readonly string[]): string[] {
  const count = random.pick([1, 1, 2, 4]);
  return [...new Set(Array.from({ length: count }, () => random.pick(ids)))];
}

export async function write(client: Client): Promise<void> {
  const { random, recorder, call } = client;
  const documents = someOf(random, recorder.ids).map(id => ({
    id,
    value: recorder.value(),
    field: fieldOf(client),
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
