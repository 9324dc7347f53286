import type { Random } from '../../support/random.ts';
import type { Change } from './checker/document-model.ts';
import { type Client, COLLECTION, DOCUMENTS, type Recorder } from './recorder.ts';
import { noteEach } from './removal-calls.ts';
import { someOf } from './write-calls.ts';

export async function expire({ random, recorder, call }: Client): Promise<void> {
  const id = random.pick(recorder.ids);
  const path = `${DOCUMENTS}/${id}/expiration`;
  const at = recorder.time.now() + random.between(30, 1_500);
  const kind = random.pick(['at', 'at', 'never', 'clear']);
  const action = anyAction(random, recorder, [id]);
  const answered =
    kind === 'clear'
      ? await call('DELETE', path)
      : await call('PUT', path, kind === 'at' ? { at, ...action.onExpire } : { never: true });
  const explicit = kind === 'at' ? { from: at, to: at } : kind === 'never' ? 'never' : null;
  const expiration = { is: 'expire', explicit, action: kind === 'at' ? action.change : null } as const;
  const { answer } = answered;
  if (answer === null) return recorder.note(id, answered, { ...expiration, answer: 'unknown' });
  if (answer.code === 'DOCUMENT_NOT_FOUND')
    return recorder.note(id, answered, { ...expiration, answer: 'missing' });
  if (answer.status !== 200) return recorder.refused('an expiration', answer);
  recorder.note(id, answered, { ...expiration, answer: 'done' });
}

export async function expireMany({ random, recorder, call }: Client): Promise<void> {
  const ids = someOf(random, recorder.ids);
  const afterMs = random.between(30, 1_500);
  const isClear = random.chance(0.3);
  const action = anyAction(random, recorder, ids);
  const body = isClear ? { ids, clear: true } : { ids, set: { after: afterMs / 1_000, ...action.onExpire } };
  const answered = await call('POST', `/api/collections/${COLLECTION}/expirations`, body);
  // The duration counts from an instant within the call.
  const { from, to } = recorder.timeOf(answered);
  const explicit = isClear ? null : { from: from + afterMs, to: to + afterMs };
  noteEach(recorder, ids, answered, { is: 'expire', explicit, action: isClear ? null : action.change });
}

interface Action {
  readonly onExpire: { readonly onExpire?: object };
  /** Null: the document is gone, deleted or moved. */
  readonly change: Change | null;
}

/** Deletes or moves, patches a new value into the document, or replaces it by itself without its date. */
function anyAction(random: Random, recorder: Recorder, ids: readonly string[]): Action {
  switch (random.pick(['delete', 'move', 'patch', 'replace'])) {
    case 'patch': {
      const value = recorder.value();
      return {
        onExpire: { onExpire: { action: 'patch', patch: { v: value, exp: null } } },
        change: { value },
      };
    }
    case 'replace':
      return {
        onExpire: { onExpire: { action: 'replace', expression: 'without(doc, "exp")' } },
        change: { value: null },
      };
    case 'move': {
      const to = recorder.archiveFor(ids);
      return { onExpire: to === null ? {} : { onExpire: { action: 'move', to } }, change: null };
    }
    default:
      return { onExpire: {}, change: null };
  }
}
