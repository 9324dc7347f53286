import { t } from '@lingui/core/macro';
import { ALL_INDEX_CHOICES, type IndexChoices } from '../../../../shared/contract/capabilities.ts';
import type { FieldCandidate, TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import type { Schedule } from '../../../../shared/model/ttl-index.ts';
import { formatNameProblem } from '../../../i18n/name-problem.ts';
import { parseTypedDuration } from '../../../i18n/typed-duration.ts';
import { actionTexts, readAction } from './action-draft.ts';
import { isDated, readingOf } from './field-reading.ts';
import {
  type ChosenDefinition,
  type DraftContext,
  type DraftProblems,
  type IndexDraft,
  type Read,
  type ReadDraft,
  typedDuration,
} from './index-draft.ts';
import { freeName } from './index-name.ts';
import { limitTexts, readLimits } from './limits-draft.ts';
import { parameterTexts, readParameters } from './parameters-draft.ts';
import { readSchedule, scheduleTexts } from './schedule-draft.ts';
import { readSource, sourceTexts } from './source-draft.ts';

const FIRST_DURATION = '30d';
const DAILY: Schedule = { mode: 'cron', cron: '@daily', timeZone: 'UTC' };

/** Selects the best date field. */
export function draftFrom(
  candidates: readonly FieldCandidate[],
  now: number,
  { schedules }: Pick<IndexChoices, 'schedules'> = ALL_INDEX_CHOICES,
): IndexDraft {
  const best = candidates.find(isDated);
  return {
    kind: 'field',
    field: best?.field ?? '',
    ...{ unit: 'seconds', ...readingOf(best) },
    life: 'fixed',
    expireAfter: firstDuration(best, now),
    ttlField: '',
    expression: '',
    name: null,
    ...actionTexts({ action: 'delete' }),
    retention: '',
    ...scheduleTexts(schedules.includes('exact') ? { mode: 'exact' } : DAILY),
    ...limitTexts({}),
    parameters: {},
  };
}

/** Suggests a duration for a field; none if the field holds deadlines. */
export function firstDuration(candidate: FieldCandidate | undefined, now: number): string {
  if (candidate === undefined) return FIRST_DURATION;
  const isDeadline = /expir|deadline|until|valid_?to|ttl/i.test(candidate.field) || liesAhead(candidate, now);
  return isDeadline ? '0' : FIRST_DURATION;
}

/** Suggests a duration with which at most a fifth of the field's dates are past. */
function liesAhead(candidate: FieldCandidate, now: number): boolean {
  const [offer] = candidate.offers;
  const { earliestAt, latestAt } = offer?.doubt === null ? offer : candidate;
  return (
    earliestAt !== null && latestAt !== null && latestAt > now && (now - earliestAt) * 4 <= latestAt - now
  );
}

export function draftOf(
  index: Pick<TtlIndex, Exclude<keyof ChosenDefinition, 'parameters'> | 'name'> &
    Partial<Pick<TtlIndex, 'successor' | 'parameters'>>,
): IndexDraft {
  const { onExpire, schedule, limits, retention } = index;
  return {
    ...draftFrom([], 0),
    // If an expression is being built, it is the latest definition [D8].
    ...sourceTexts(index.successor?.source ?? index.source),
    name: index.name,
    ...actionTexts(onExpire),
    retention: retention === null ? '' : typedDuration(retention),
    ...scheduleTexts(schedule),
    ...limitTexts(limits),
    parameters: parameterTexts(index.parameters),
  };
}

export function readDraft(draft: IndexDraft, context: DraftContext): ReadDraft {
  const { taken, editing, choices } = context;
  const offered = choices?.parameters ?? [];
  const parameters = readParameters(draft.parameters, offered);
  const source = readSource(draft);
  const onExpire = readAction(draft, context);
  const schedule = readSchedule(draft);
  const limits = readLimits(draft);
  const retention = readRetention(draft);
  const chosen = 'value' in source ? source.value : null;
  const name = editing ?? choices?.name ?? draft.name ?? freeName(chosen, taken);
  const isAllRead =
    'value' in source &&
    'value' in onExpire &&
    'value' in schedule &&
    'value' in limits &&
    'value' in retention &&
    'value' in parameters;
  return {
    source: chosen,
    definition: isAllRead
      ? {
          source: source.value,
          onExpire: onExpire.value,
          schedule: schedule.value,
          limits: limits.value,
          retention: retention.value,
          ...(offered.length > 0 && { parameters: parameters.value }),
        }
      : null,
    name,
    problems: {
      ...problemsOf(source),
      ...problemsOf(onExpire),
      ...problemsOf(schedule),
      ...problemsOf(limits),
      ...problemsOf(retention),
      ...problemsOf(parameters),
      ...(editing === null && draft.name !== null && ownNameProblem(draft.name, taken)),
    },
  };
}

const problemsOf = (read: Read<unknown>): DraftProblems => ('problems' in read ? read.problems : {});

function readRetention({ retention }: IndexDraft): Read<number | null> {
  if (retention.trim() === '') return { value: null };
  const parsed = parseTypedDuration(retention);
  return 'problem' in parsed ? { problems: { retention: parsed.problem } } : { value: parsed.seconds };
}

function ownNameProblem(name: string, taken: ReadonlySet<string>): DraftProblems {
  if (taken.has(name)) {
    return { name: t`${name} already exists in this collection. Choose another name, or edit that index.` };
  }
  const problem = formatNameProblem(name);
  return problem === null ? {} : { name: problem };
}

export function isComplete({ definition, problems }: ReadDraft): boolean {
  return definition !== null && problems.name === undefined;
}
