import type { ReadBack, TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import { jsonLine } from '../../../components/json-line.ts';
import type { ChosenDefinition } from '../draft/index-draft.ts';
import { limitChanges } from '../draft/limits-draft.ts';
import { parameterChanges } from '../draft/parameters-draft.ts';

export interface IndexCall {
  method: string;
  path: string;
  body: string;
}

export interface IndexChange {
  collection: string;
  name: string;
  /** The present definition; null: a new index is created. */
  before: Pick<TtlIndex, 'limits' | 'parameters'> | null;
  definition: ChosenDefinition;
  dueAtOnce: number;
}

/** The REST call equivalent to the form. */
export function indexCall({ collection, name, before, definition, dueAtOnce }: IndexChange): IndexCall {
  const isNew = before === null;
  const path = `/api/collections/${encodeURIComponent(collection)}/ttl-indexes`;
  const { source, onExpire, schedule, retention } = definition;
  const parameters = parameterChanges(before?.parameters, definition.parameters);
  const limits = limitChanges(before?.limits ?? {}, definition.limits);
  const fields: [string, unknown][] = [
    ...(isNew ? [['name', name] satisfies [string, unknown]] : []),
    ['source', source],
    ['onExpire', onExpire],
    ['schedule', schedule],
    ...(limits === null ? [] : [['limits', limits] satisfies [string, unknown]]),
    ...(parameters === null ? [] : [['parameters', parameters] satisfies [string, unknown]]),
    // Members left out of a new index use the store's default.
    ...(isNew && retention === null ? [] : [['retention', retention] satisfies [string, unknown]]),
    ['expect', { dueAtOnce }],
  ];
  return {
    method: isNew ? 'POST' : 'PATCH',
    path: isNew ? path : `${path}/${encodeURIComponent(name)}`,
    body: formatBody(fields),
  };
}

/** Formats a call like the engine: one member of its body per line. */
export function formatCall({ method, path, body }: ReadBack['rest']): IndexCall {
  const isObject = typeof body === 'object' && body !== null;
  return { method, path, body: isObject ? formatBody(Object.entries(body)) : jsonLine(body) };
}

const formatBody = (fields: readonly [string, unknown][]) =>
  `{\n${fields.map(([key, value]) => `  ${JSON.stringify(key)}: ${jsonLine(value)}`).join(',\n')}\n}`;
