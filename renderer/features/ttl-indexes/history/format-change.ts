import type { PolicyChange, TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import { type OnExpire, sameReferenceTimes, type TtlSource } from '../../../../shared/model/ttl-index.ts';
import { jsonLine } from '../../../components/json-line.ts';
import type { ChosenDefinition } from '../draft/index-draft.ts';
import { retentionInWords } from '../format/format-action.ts';
import { lifeInWords, limitsInWords, scheduleInWords } from '../format/format-index.ts';

/** One thing about an index that a change touched, in words; `was` is null where there was none. */
export interface Difference {
  what: string;
  was: string | null;
  is: string;
}

/** What was done: `Changed`, `Dropped`. */
export function changeInWords({ change, before }: Pick<PolicyChange, 'change' | 'before'>): string {
  switch (change) {
    case 'create':
      return 'Created';
    case 'change':
      return 'Changed';
    case 'drop':
      return 'Dropped';
    case 'pause':
      return 'Paused';
    case 'resume':
      return 'Resumed';
    case 'confirm':
      return 'Confirmed';
    case 'revert':
      return before === null ? 'Put back' : 'Reverted';
  }
}

/** Only what differs; all of it where there was nothing before. */
export function differences(before: ChosenDefinition | null, after: ChosenDefinition): Difference[] {
  const isUnitTold = before !== null && unitOf(before.source) !== unitOf(after.source);
  const said = (definition: ChosenDefinition): [string, string][] => [
    ['Expires', ruleInWords(definition.source, isUnitTold)],
    ['On expiry', actionInFull(definition.onExpire)],
    ['Schedule', scheduleInWords(definition.schedule)],
    ['Limits', limitsInWords(definition.limits) ?? 'the store’s own'],
    ['Copies', retentionInWords(definition.retention)],
  ];
  const was = before === null ? null : new Map(said(before));
  return said(after)
    .map(([what, is]) => ({ what, was: was?.get(what) ?? null, is }))
    .filter(difference => difference.was !== difference.is);
}

const unitOf = (source: TtlSource) => (source.kind === 'field' ? source.unit : null);

/** When it acts: `90 days after ts`. */
function ruleInWords(source: TtlSource, isUnitTold: boolean): string {
  switch (source.kind) {
    case 'field': {
      const life =
        source.expireAfterField === undefined
          ? `${lifeInWords(source.expireAfter)} ${source.field}`
          : `as long after ${source.field} as ${source.expireAfterField} says`;
      return isUnitTold ? `${life}, numbers read as ${source.unit}` : life;
    }
    case 'lastModified':
      return `${lifeInWords(source.expireAfter)} the last write`;
    case 'expression':
      return `at the time of ${source.expression}`;
  }
}

function actionInFull(onExpire: OnExpire): string {
  switch (onExpire.action) {
    case 'delete':
      return 'delete';
    case 'patch':
      return `patch ${jsonLine(onExpire.patch)}`;
    case 'replace':
      return `replace by ${onExpire.expression}`;
    case 'move':
      return `move to ${onExpire.to}`;
  }
}

/** What a revert would put back, or why it is not offered (null: there is nothing to say of it). */
export type RevertOffer = { target: ChosenDefinition } | { refusal: string | null };

/** Whether what was before a change can be put back [X5]; `current` is null where the index was dropped. */
export function revertOffer(
  { change, before, after }: PolicyChange,
  current: Pick<TtlIndex, keyof ChosenDefinition> | null,
): RevertOffer {
  // Pausing has a button of its own, and before it was made there was nothing.
  if (change === 'pause' || change === 'resume' || before === null) return { refusal: null };
  if (change === 'confirm' && after !== null && differences(before, after).length === 0)
    return { refusal: null };
  if (current === null) return { target: before };
  if (differences(current, before).length === 0) return { refusal: 'Undone since' };
  if (!sameReferenceTimes(current.source, before.source)) return { refusal: 'It read something else then' };
  return { target: before };
}
