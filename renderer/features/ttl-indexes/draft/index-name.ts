import { formatExactDuration } from '../../../../shared/model/duration.ts';
import { expireAfterOf, suggestedName, type TtlSource } from '../../../../shared/model/ttl-index.ts';
import { useLastNonNull } from '../../../state/latest.ts';
import type { ReadDraft } from './index-draft.ts';

/** Suggests a free name from the definition: `ts_90d`, `expiresAt_at`; empty while the definition is incomplete. */
export function freeName(source: TtlSource | null, taken: ReadonlySet<string>): string {
  if (source === null) return '';
  const name = suggestedName(source, lifeInName(source));
  for (let n = 2; taken.has(name); n++) {
    const other = `${name}_${n}`;
    if (!taken.has(other)) return other;
  }
  return name;
}

/** Returns whether the name contains a duration that the index no longer has: names cannot be changed. */
export function keepsOldDuration(name: string, before: TtlSource, after: TtlSource): boolean {
  const old = lifeInName(before);
  return old !== lifeInName(after) && name.split(/[_\-.]/).includes(old);
}

function lifeInName(source: TtlSource): string {
  const expireAfter = expireAfterOf(source);
  return expireAfter === 0 ? 'at' : formatExactDuration(expireAfter).replaceAll(' ', '');
}

/** Keeps the last suggestion while the duration cannot be read, so that the name is not cleared while typing. */
export function useShownName({ name, problems }: ReadDraft): string {
  const last = useLastNonNull(name === '' ? null : name);
  return name === '' && problems.field === undefined ? (last ?? '') : name;
}
