import { t } from '@lingui/core/macro';
import type { Settings } from '../../../../shared/contract/settings.ts';
import type { Limits } from '../../../../shared/model/ttl-index.ts';
import { formatCount } from '../../../i18n/format.ts';
import { formatList } from '../../../i18n/sentence.ts';
import type { DraftProblems, IndexDraft, Read } from './index-draft.ts';

/** The controls of the three limits; an empty one means the store's default [R3]. */
export type LimitControl = 'rate' | 'batchMs' | 'batchSize';

interface Bounds {
  name: keyof Limits;
  label: string;
  least: number;
  most: number;
  isWhole: boolean;
  /** Name of the unit, and a number with its unit. */
  unit: string;
  withUnit: (number: string) => string;
  /** The meaning of 0; undefined: 0 is not allowed. */
  zero?: string;
}

export const LIMITS: Readonly<Record<LimitControl, Bounds>> = {
  rate: {
    name: 'removalsPerSecond',
    label: t`Removals`,
    least: 0,
    most: 10_000_000,
    isWhole: false,
    unit: t`a second`,
    withUnit: number => t`${number} a second`,
    zero: t`unlimited`,
  },
  batchMs: {
    name: 'batchMs',
    label: t`Batch time`,
    least: 0.5,
    most: 1_000,
    isWhole: false,
    unit: t`ms`,
    withUnit: number => t`${number} ms`,
  },
  batchSize: {
    name: 'batchSize',
    label: t`Batch size`,
    least: 0,
    most: 1_000_000,
    isWhole: true,
    unit: t`documents`,
    withUnit: number => t`${number} documents`,
    zero: t`unlimited`,
  },
};

export const LIMIT_CONTROLS: readonly LimitControl[] = ['rate', 'batchMs', 'batchSize'];

/** Parses a number as people type it: `10,000`, `10 000`, `0.5`; NaN for other text. */
export function typedNumber(text: string): number {
  const plain = text.replaceAll(/[\s,_]/g, '');
  return /^\d+(\.\d+)?$/.test(plain) ? Number(plain) : Number.NaN;
}

/** The limits as typed; an empty one means the store's default. */
export function readLimits(draft: Pick<IndexDraft, LimitControl>): Read<Limits> {
  const problems: DraftProblems = {};
  for (const control of LIMIT_CONTROLS) {
    const problem = draft[control].trim() === '' ? null : limitProblem(control, draft[control]);
    if (problem !== null) problems[control] = problem;
  }
  return Object.keys(problems).length > 0 ? { problems } : { value: readableLimits(draft) };
}

/** Returns the limits that can be read, leaving out the others. */
export function readableLimits(draft: Pick<IndexDraft, LimitControl>): Limits {
  const value: Limits = {};
  for (const control of LIMIT_CONTROLS) {
    const text = draft[control].trim();
    if (text !== '' && limitProblem(control, text) === null) value[LIMITS[control].name] = typedNumber(text);
  }
  return value;
}

export function limitProblem(control: LimitControl, text: string): string | null {
  const { least, most, isWhole, withUnit } = LIMITS[control];
  const number = typedNumber(text);
  if (Number.isNaN(number)) return t`“${text.trim()}” is not a number.`;
  if (isWhole && !Number.isInteger(number)) return t`A whole number of documents.`;
  if (number < least || number > most) return t`From ${least} to ${withUnit(formatCount(most))}.`;
  return null;
}

/** Returns limits as typed text. */
export function limitTexts(limits: Limits): Pick<IndexDraft, LimitControl> {
  const text = (number: number | undefined) => (number === undefined ? '' : String(number));
  return {
    rate: text(limits.removalsPerSecond),
    batchMs: text(limits.batchMs),
    batchSize: text(limits.batchSize),
  };
}

/** Formats a limit: `8 ms`, `unlimited`. */
export function formatLimit(control: LimitControl, number: number): string {
  const { withUnit, zero } = LIMITS[control];
  if (number === 0 && zero !== undefined) return zero;
  return withUnit(Number.isInteger(number) ? formatCount(number) : String(number));
}

type Defaults = Pick<Settings, keyof Limits>;

/** Describes the limits in effect, of the form or else of the store: `8 ms batches, no rate limit`. `offered`: those of the engine. */
export function limitsInBrief(
  limits: Limits,
  defaults: Defaults | undefined,
  offered: readonly (keyof Limits)[],
): string {
  const rate = limits.removalsPerSecond ?? defaults?.removalsPerSecond;
  const ms = offered.includes('batchMs') ? (limits.batchMs ?? defaults?.batchMs) : undefined;
  const size = limits.batchSize ?? defaults?.batchSize;
  const parts = [
    ms !== undefined && t`${ms} ms batches`,
    size !== undefined &&
      size > 0 &&
      (ms === undefined ? t`Batches of at most ${formatCount(size)}` : t`of at most ${formatCount(size)}`),
    rate !== undefined && (rate === 0 ? t`no rate limit` : t`at most ${formatLimit('rate', rate)}`),
  ].filter(part => typeof part === 'string');
  if (parts.length === 0) return t`The store’s own`;
  const inEffect = formatList(parts);
  return Object.keys(limits).length > 0 ? inEffect : t`${inEffect}: the store’s own`;
}

/** Limits to send; null resets one to the store's default [R3]. */
export type LimitChanges = { [Name in keyof Limits]?: number | null };

/** Returns the limits that differ; null if none differs. */
export function limitChanges(before: Limits, after: Limits): LimitChanges | null {
  const changes: LimitChanges = {};
  for (const { name } of Object.values(LIMITS)) {
    if (before[name] !== after[name]) changes[name] = after[name] ?? null;
  }
  return Object.keys(changes).length === 0 ? null : changes;
}
