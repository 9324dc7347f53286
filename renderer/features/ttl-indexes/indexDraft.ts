import type { FieldCandidate, TtlIndex } from '../../../shared/contract/ttl-indexes.ts';
import { durationText, parseDuration } from '../../../shared/model/duration.ts';
import { fieldPathProblem } from '../../../shared/model/field-path.ts';
import { nameProblem } from '../../../shared/model/names.ts';
import type { TimeUnit } from '../../../shared/model/reference-time.ts';
import type { FieldSource, Schedule } from '../../../shared/model/ttl-index.ts';
import { freeName } from './indexName.ts';

/** The form as it is filled in: text as typed, right or wrong. */
export interface IndexDraft {
  field: string;
  unit: TimeUnit;
  expireAfter: string;
  /** Null: the suggested one, which follows the rest of the form. */
  name: string | null;
  mode: Schedule['mode'];
  every: string;
}

export interface ReadDraft {
  /** Null while something about it is wrong. */
  source: FieldSource | null;
  schedule: Schedule | null;
  name: string;
  problems: DraftProblems;
}

/** What is wrong, by the control it belongs to. */
export interface DraftProblems {
  field: string | null;
  expireAfter: string | null;
  name: string | null;
  every: string | null;
}

export const LONGEST_INTERVAL_S = 86_400;
const FIRST_DURATION = '30d';

/** Begins with the best date field there is. */
export function draftFrom(candidates: readonly FieldCandidate[], now: number): IndexDraft {
  const best = candidates.find(({ dates }) => dates > 0);
  return {
    field: best?.field ?? '',
    unit: best?.unit ?? 'seconds',
    expireAfter: firstDuration(best, now),
    name: null,
    mode: 'exact',
    every: '1m',
  };
}

/** What is proposed for a field: a deadline has nothing added to it, an event some time. */
export function firstDuration(candidate: FieldCandidate | undefined, now: number): string {
  if (candidate === undefined) return FIRST_DURATION;
  const isDeadline = /expir|deadline|until|valid_?to|ttl/i.test(candidate.field) || liesAhead(candidate, now);
  return isDeadline ? '0' : FIRST_DURATION;
}

/** At most a fifth of the span of its dates has passed. */
function liesAhead({ earliestAt, latestAt }: FieldCandidate, now: number): boolean {
  return (
    earliestAt !== null && latestAt !== null && latestAt > now && (now - earliestAt) * 4 <= latestAt - now
  );
}

export function draftOf(index: TtlIndex): IndexDraft {
  const { source, schedule } = index;
  return {
    field: source.field,
    unit: source.unit,
    expireAfter: source.expireAfter === 0 ? '0' : durationText(source.expireAfter),
    name: index.name,
    mode: schedule.mode,
    every: schedule.mode === 'every' ? durationText(schedule.everyMs / 1000) : '1m',
  };
}

export interface DraftContext {
  /** Names that are taken in this collection. */
  taken: ReadonlySet<string>;
  /** The index that is edited keeps its name. */
  editing: string | null;
}

export function readDraft(draft: IndexDraft, { taken, editing }: DraftContext): ReadDraft {
  const field = draft.field.trim();
  const duration = parseDuration(draft.expireAfter);
  const interval = readInterval(draft);
  const problems: DraftProblems = {
    field: fieldPathProblem(field),
    expireAfter: 'problem' in duration ? duration.problem : null,
    every: 'problem' in interval ? interval.problem : null,
    name: null,
  };
  const source: FieldSource | null =
    problems.field !== null || 'problem' in duration
      ? null
      : { kind: 'field', field, unit: draft.unit, expireAfter: duration.seconds };
  const name = editing ?? draft.name ?? freeName(source, taken);
  if (editing === null && draft.name !== null) problems.name = ownNameProblem(draft.name, taken);
  return { source, schedule: 'problem' in interval ? null : interval, name, problems };
}

function readInterval(draft: IndexDraft): Schedule | { problem: string } {
  if (draft.mode === 'exact') return { mode: 'exact' };
  const parsed = parseDuration(draft.every);
  if ('problem' in parsed) return parsed;
  if (parsed.seconds < 0.001) return { problem: 'At least 1 ms; for no wait at all choose Exact.' };
  if (parsed.seconds > LONGEST_INTERVAL_S) return { problem: 'At most one day.' };
  return { mode: 'every', everyMs: Math.round(parsed.seconds * 1000) };
}

function ownNameProblem(name: string, taken: ReadonlySet<string>): string | null {
  if (taken.has(name))
    return `${name} exists already in this collection. Choose another name, or edit that index.`;
  return nameProblem(name);
}

export function isComplete({ source, schedule, problems }: ReadDraft): boolean {
  return source !== null && schedule !== null && problems.name === null;
}
