import { formatExactDuration } from '../../../../shared/model/duration.ts';
import { SandglassError } from '../../../../shared/model/errors.ts';
import {
  expireAfterOf,
  type Limits,
  suggestedName,
  type TtlIndexDefinition,
  type TtlSource,
  withExpireAfter,
} from '../../../../shared/model/ttl-index.ts';
import type { EngineParameters } from '../../backends/backend.ts';
import type { DefinitionChanges } from '../ttl-index-calls.ts';

/** Returns a definition with the changes of a call. Throws INVALID_TTL_INDEX. */
export function changed(before: TtlIndexDefinition, changes: DefinitionChanges): TtlIndexDefinition {
  const { expireAfter, onExpire, schedule, limits, retention } = changes;
  const source = changes.source ?? before.source;
  return {
    ...before,
    source: expireAfter === undefined ? source : lengthened(before.name, source, expireAfter),
    onExpire: onExpire ?? before.onExpire,
    schedule: schedule === undefined ? before.schedule : (schedule ?? { mode: 'exact' }),
    limits: changedLimits(before.limits, limits ?? {}),
    retention: retention === undefined ? before.retention : retention,
  };
}

/** Throws INVALID_TTL_INDEX if each document has its own TTL. */
function lengthened(index: string, source: TtlSource, expireAfter: number): TtlSource {
  if (source.kind === 'expression' || source.expireAfter === undefined) {
    throw new SandglassError(
      'INVALID_TTL_INDEX',
      `${index} has no expireAfter: each document has its own TTL. Create another index and drop this one.`,
      { index },
    );
  }
  return withExpireAfter(source, expireAfter);
}

/** Null: the store's default (CockroachDB's RESET) [R3]. */
function changedLimits(before: Limits, changes: { [Name in keyof Limits]: Limits[Name] | null }): Limits {
  const merged = Object.entries({ ...before, ...changes }).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  return Object.fromEntries(merged);
}

/** Returns the parameters of an index after a change; absent: it has none. */
export function changedParameters(
  before: EngineParameters | undefined,
  changes: Readonly<Record<string, string | number | boolean | null>> | undefined,
): EngineParameters | undefined {
  if (before === undefined && changes === undefined) return undefined;
  const merged: EngineParameters = {};
  for (const [name, value] of Object.entries({ ...before, ...changes }))
    if (value !== null) merged[name] = value;
  return merged;
}

/** Returns the suggested name of an index, with a number if it is taken. */
export function unusedName(taken: ReadonlySet<string>, source: TtlSource): string {
  const name = suggestedName(source, formatExactDuration(expireAfterOf(source)));
  for (let i = 2, candidate = name; ; i++) {
    if (!taken.has(candidate)) return candidate;
    candidate = `${name}_${i}`;
  }
}
