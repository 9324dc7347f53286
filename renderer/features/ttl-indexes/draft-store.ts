import { z } from 'zod';
import { useKeptChanges } from '../../api.ts';
import { inConnection } from '../../components/navigation/location.ts';
import { showNotKept } from '../../components/overlays/show-not-kept.ts';
import { createKeyedStore, useKeyed } from '../../state/keyed-store.ts';
import type { IndexDraft } from './draft/index-draft.ts';

/** Unsaved input of each form: neither leaving the page nor a reload loses it. */
const drafts = createKeyedStore<IndexDraft | null>(() => null);

const text = z.string();
const draftSchema: z.ZodType<IndexDraft> = z.object({
  kind: z.enum(['field', 'lastModified', 'expression']),
  field: text,
  unit: z.enum(['seconds', 'milliseconds']),
  formats: z.array(text),
  zone: text,
  life: z.enum(['fixed', 'own']),
  expireAfter: text,
  ttlField: text,
  expression: text,
  name: text.nullable(),
  action: z.enum(['delete', 'patch', 'replace', 'move']),
  patch: text,
  replacement: text,
  moveTo: text,
  retention: text,
  mode: z.enum(['exact', 'every', 'cron', 'observe']),
  every: text,
  cron: text,
  timeZone: text,
  rate: text,
  batchMs: text,
  batchSize: text,
});

/** Null until something was typed: the form then shows its initial values. */
export function useDraft(form: string): [IndexDraft | null, (draft: IndexDraft | null) => void] {
  const key = inConnection(form);
  const [draft, keep] = useKeyed(drafts, key);
  useKeptChanges<IndexDraft>({
    part: `TTL index of ${form}`,
    record: draft,
    isUnsaved: draft !== null,
    merge: latestDraft,
    onNotKept: showNotKept,
    restore: async kept => () => {
      if (drafts.get(key) === null) keep(kept);
    },
  });
  return [draft, keep];
}

/**
 * Returns the last draft that this version of the window can read.
 * @internal
 */
export function latestDraft(records: readonly unknown[]): IndexDraft | null {
  for (const record of [...records].reverse()) {
    const { data } = draftSchema.safeParse(record);
    if (data !== undefined) return data;
  }
  return null;
}
