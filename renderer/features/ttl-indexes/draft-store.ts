import { t } from '@lingui/core/macro';
import { useMemo } from 'react';
import { z } from 'zod';
import { useKeptChanges } from '../../api.ts';
import { inConnection } from '../../components/navigation/location.ts';
import { showNotKept } from '../../components/overlays/show-not-kept.ts';
import { showToast } from '../../components/overlays/toast-store.ts';
import { createKeyedStore, useKeyed } from '../../state/keyed-store.ts';
import type { IndexDraft } from './draft/index-draft.ts';

/** Unsaved input of each form, kept when the page is left or reloaded. */
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
  parameters: z.record(text, text),
});

/** `base`: the definition that is edited, as the form shows it; null: a new index. */
const keptSchema = z.object({ draft: draftSchema, base: draftSchema.nullable() });
type KeptDraft = z.infer<typeof keptSchema>;

/**
 * Null until something was typed: the form then shows its initial values. `base`: see `KeptDraft`. Input for a
 * definition that was changed meanwhile is dropped after a reload, because it would revert that change.
 */
export function useDraft(
  form: string,
  base: IndexDraft | null,
): [IndexDraft | null, (draft: IndexDraft | null) => void] {
  const key = inConnection(form);
  const [draft, keep] = useKeyed(drafts, key);
  const record = useMemo(() => (draft === null ? null : { draft, base }), [draft, base]);
  useKeptChanges<KeptDraft>({
    part: `TTL index of ${form}`,
    record,
    isUnsaved: draft !== null,
    merge: latestDraft,
    onNotKept: showNotKept,
    restore: async kept => () => {
      if (drafts.get(key) !== null) return;
      if (isSame(kept.base, base)) keep(kept.draft);
      else showDropped();
    },
  });
  return [draft, keep];
}

/** Returns the last record that this version of the window can read. */
function latestDraft(records: readonly unknown[]): KeptDraft | null {
  for (const record of [...records].reverse()) {
    const { data } = keptSchema.safeParse(record);
    if (data !== undefined) return data;
  }
  return null;
}

const isSame = (a: IndexDraft | null, b: IndexDraft | null) =>
  JSON.stringify(draftSchema.nullable().parse(a)) === JSON.stringify(draftSchema.nullable().parse(b));

function showDropped(): void {
  showToast({
    kind: 'info',
    title: t`Unsaved input dropped`,
    detail: t`The index was changed meanwhile. The form shows its present definition.`,
  });
}
