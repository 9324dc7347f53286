import type { PolicyChange, TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import {
  formatReading,
  type OnExpire,
  sameReferenceTimes,
  type TtlSource,
} from '../../../../shared/model/ttl-index.ts';
import { jsonLine } from '../../../components/json-line.ts';
import type { ChosenDefinition } from '../draft/index-draft.ts';
import { formatRetention } from '../format/format-action.ts';
import { formatLife, formatLimits, formatSchedule } from '../format/format-index.ts';

/** One difference between two definitions, formatted; `was` is null if there was none. */
export interface Difference {
  what: string;
  was: string | null;
  is: string;
}

/** The kind of a change: `Changed`, `Dropped`. */
export function formatChange({ change, before }: Pick<PolicyChange, 'change' | 'before'>): string {
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
      return before === null ? 'Restored' : 'Reverted';
  }
}

/** Returns the differences; without a definition before, all of the definition. */
export function differences(before: ChosenDefinition | null, after: ChosenDefinition): Difference[] {
  const withUnit = before !== null && unitOf(before.source) !== unitOf(after.source);
  const rowsOf = (definition: ChosenDefinition): [string, string][] => [
    ['Expires', formatRule(definition.source, withUnit)],
    ['On expiry', formatFullAction(definition.onExpire)],
    ['Schedule', formatSchedule(definition.schedule)],
    ['Limits', formatLimits(definition.limits) ?? 'the store’s own'],
    ['Copies', formatRetention(definition.retention)],
  ];
  const was = before === null ? null : new Map(rowsOf(before));
  return rowsOf(after)
    .map(([what, is]) => ({ what, was: was?.get(what) ?? null, is }))
    .filter(difference => difference.was !== difference.is);
}

const unitOf = (source: TtlSource) => (source.kind === 'field' ? source.unit : null);

/** The deadline: `90 days after ts`. */
function formatRule(source: TtlSource, withUnit: boolean): string {
  switch (source.kind) {
    case 'field': {
      const life =
        source.expireAfterField === undefined
          ? `${formatLife(source.expireAfter)} ${source.field}`
          : `the duration in ${source.expireAfterField} after ${source.field}`;
      return [life, formatReading(source), withUnit ? `numbers read as ${source.unit}` : null]
        .filter(part => part !== null)
        .join(', ');
    }
    case 'lastModified':
      return `${formatLife(source.expireAfter)} the last write`;
    case 'expression':
      return `at the time of ${source.expression}`;
  }
}

function formatFullAction(onExpire: OnExpire): string {
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

/** The definition that a revert restores, or the reason why it is not offered (null: none to show). */
export type RevertOffer = { target: ChosenDefinition } | { refusal: string | null };

/** Returns whether a change can be reverted [X5]; `current` is null for a dropped index. */
export function revertOffer(
  { change, before, after }: PolicyChange,
  current: Pick<TtlIndex, keyof ChosenDefinition> | null,
): RevertOffer {
  // Pauses have a button of their own, and before its creation there was no index.
  if (change === 'pause' || change === 'resume' || before === null) return { refusal: null };
  if (change === 'confirm' && after !== null && differences(before, after).length === 0)
    return { refusal: null };
  if (current === null) return { target: before };
  if (differences(current, before).length === 0) return { refusal: 'Already reverted' };
  if (!sameReferenceTimes(current.source, before.source)) return { refusal: 'Its source was different' };
  return { target: before };
}
