import { jsonLine } from '../../components/json-line.ts';
import type { ChosenDefinition } from './indexDraft.ts';

export interface IndexCall {
  method: 'POST' | 'PATCH';
  path: string;
  body: string;
}

export interface IndexChange {
  collection: string;
  name: string;
  isNew: boolean;
  definition: ChosenDefinition;
  dueAtOnce: number;
}

/** The REST call that does what the form does. */
export function indexCall({ collection, name, isNew, definition, dueAtOnce }: IndexChange): IndexCall {
  const path = `/api/collections/${encodeURIComponent(collection)}/ttl-indexes`;
  const { source, onExpire, schedule, retention } = definition;
  const fields: [string, unknown][] = [
    ...(isNew ? [['name', name] satisfies [string, unknown]] : []),
    ['source', source],
    ['onExpire', onExpire],
    ['schedule', schedule],
    // What a new index is not told follows the store's default.
    ...(isNew && retention === null ? [] : [['retention', retention] satisfies [string, unknown]]),
    ['expect', { dueAtOnce }],
  ];
  return {
    method: isNew ? 'POST' : 'PATCH',
    path: isNew ? path : `${path}/${encodeURIComponent(name)}`,
    body: `{\n${fields.map(([key, value]) => `  ${JSON.stringify(key)}: ${jsonLine(value)}`).join(',\n')}\n}`,
  };
}
