import { isJsonObject, stringifyJson } from '../../../shared/model/json/json.ts';
import { expireAfterMs, sameReferenceTimes } from '../../../shared/model/ttl-index.ts';
import type { GovernedDefinition } from '../backends/backend.ts';

/** Returns whether two definitions are equal in every part but the name. */
export function sameDefinition(a: GovernedDefinition, b: GovernedDefinition): boolean {
  return (
    sameReferenceTimes(a.source, b.source) &&
    expireAfterMs(a.source) === expireAfterMs(b.source) &&
    a.retention === b.retention &&
    same(a.onExpire, b.onExpire) &&
    same(a.schedule, b.schedule) &&
    same(a.limits, b.limits) &&
    same(a.partitions ?? ROWS, b.partitions ?? ROWS)
  );
}

/** The default for partitions: their rows are removed one by one. */
const ROWS = { mode: 'rows' };

function same(a: unknown, b: unknown): boolean {
  return stringifyJson(sorted(a)) === stringifyJson(sorted(b));
}

/** Returns the value with the members of its objects in the order of their names. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(
    members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]) => [name, sorted(member)]),
  );
}
