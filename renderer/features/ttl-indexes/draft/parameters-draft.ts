import { t } from '@lingui/core/macro';
import type { EngineParameter } from '../../../../shared/contract/capabilities.ts';
import type { TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';

/** Settings of an index by the engine's own names. */
export type EngineParameters = NonNullable<TtlIndex['parameters']>;

/** Text of a flag that is set. */
export const FLAG_SET = 'on';

/** Returns the parameters as typed; a problem names the parameter. */
export function readParameters(
  typed: Readonly<Record<string, string>>,
  offered: readonly EngineParameter[],
): { value: EngineParameters } | { problems: { parameters: string } } {
  const value: EngineParameters = {};
  for (const { name, kind } of offered) {
    const text = typed[name]?.trim() ?? '';
    if (text === '') continue;
    if (kind === 'count' && !/^\d+$/.test(text))
      return { problems: { parameters: t`${name} takes a whole number.` } };
    value[name] = kind === 'count' ? Number(text) : kind === 'flag' ? true : text;
  }
  return { value };
}

/** Returns parameters as typed text. */
export function parameterTexts(parameters: EngineParameters = {}): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(parameters).flatMap(([name, value]) =>
      value === false ? [] : [[name, value === true ? FLAG_SET : String(value)]],
    ),
  );
}

/** Returns the parameters that differ, with null for one that has the engine's default again; null if none differs. */
export function parameterChanges(
  before: EngineParameters = {},
  after: EngineParameters = {},
): Record<string, string | number | boolean | null> | null {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = names.filter(name => before[name] !== after[name]);
  return changed.length === 0 ? null : Object.fromEntries(changed.map(name => [name, after[name] ?? null]));
}
