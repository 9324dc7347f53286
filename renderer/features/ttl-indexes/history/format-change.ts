import { t } from '@lingui/core/macro';
import type { PolicyChange, TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import { type OnExpire, sameReferenceTimes, type TtlSource } from '../../../../shared/model/ttl-index.ts';
import { jsonLine } from '../../../components/json-line.ts';
import { formatReading, formatUnit } from '../../../i18n/format-source.ts';
import { formatList } from '../../../i18n/sentence.ts';
import type { ChosenDefinition } from '../draft/index-draft.ts';
import { formatRetention } from '../format/format-action.ts';
import { formatLife, formatLimits, formatSchedule } from '../format/format-index.ts';

/** One difference between two definitions, formatted; `was` is null if there was none. */
export interface Difference {
  what: string;
  was: string | null;
  is: string;
}

/** Returns the kind of a change: `Changed`, `Dropped`. */
export function formatChange({ change, before }: Pick<PolicyChange, 'change' | 'before'>): string {
  switch (change) {
    case 'create':
      return t`Created`;
    case 'change':
      return t`Changed`;
    case 'drop':
      return t`Dropped`;
    case 'pause':
      return t`Paused`;
    case 'resume':
      return t`Resumed`;
    case 'confirm':
      return t`Confirmed`;
    case 'revert':
      return before === null ? t`Restored` : t`Reverted`;
  }
}

/** Returns the differences; without an earlier definition, the whole definition. */
export function differences(before: ChosenDefinition | null, after: ChosenDefinition): Difference[] {
  const withUnit = before !== null && unitOf(before.source) !== unitOf(after.source);
  const rowsOf = (definition: ChosenDefinition): [string, string][] => [
    [t`Expires`, formatRule(definition.source, withUnit)],
    [t`On expiry`, formatFullAction(definition.onExpire)],
    [t`Schedule`, formatSchedule(definition.schedule)],
    [t`Limits`, formatLimits(definition.limits) ?? t`the store’s own`],
    [t`Copies`, formatRetention(definition.retention)],
  ];
  const was = before === null ? null : new Map(rowsOf(before));
  return rowsOf(after)
    .map(([what, is]) => ({ what, was: was?.get(what) ?? null, is }))
    .filter(difference => difference.was !== difference.is);
}

const unitOf = (source: TtlSource) => (source.kind === 'field' ? source.unit : null);

/** Returns the rule for the deadline: `90 days after ts`. */
function formatRule(source: TtlSource, withUnit: boolean): string {
  switch (source.kind) {
    case 'field': {
      const life =
        source.expireAfterField === undefined
          ? formatLife(source.expireAfter, source.field)
          : t`the duration in ${source.expireAfterField} after ${source.field}`;
      const parts = [life, formatReading(source), withUnit ? formatUnit(source.unit) : null];
      return formatList(parts.filter(part => part !== null));
    }
    case 'lastModified':
      return formatLife(source.expireAfter, t`the last write`);
    case 'expression':
      return t`at the time of ${source.expression}`;
  }
}

function formatFullAction(onExpire: OnExpire): string {
  switch (onExpire.action) {
    case 'delete':
      return t`delete`;
    case 'patch':
      return t`patch ${jsonLine(onExpire.patch)}`;
    case 'replace':
      return t`replace by ${onExpire.expression}`;
    case 'move':
      return t`move to ${onExpire.to}`;
  }
}

/** The definition that a revert restores, or the reason why a revert is not offered (null: no reason is shown). */
export type RevertOffer = { target: ChosenDefinition } | { refusal: string | null };

/** Returns whether a change can be reverted [X5]; `current` is null for a dropped index. */
export function revertOffer(
  { change, before, after }: PolicyChange,
  current: Pick<TtlIndex, keyof ChosenDefinition> | null,
): RevertOffer {
  // Pauses have a button of their own, and an index did not exist before its creation.
  if (change === 'pause' || change === 'resume' || before === null) return { refusal: null };
  if (change === 'confirm' && after !== null && differences(before, after).length === 0)
    return { refusal: null };
  if (current === null) return { target: before };
  if (differences(current, before).length === 0) return { refusal: t`Already reverted` };
  if (!sameReferenceTimes(current.source, before.source)) return { refusal: t`Its source was different` };
  return { target: before };
}
