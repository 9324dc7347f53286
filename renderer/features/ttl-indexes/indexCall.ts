import type { Schedule, TtlSource } from '../../../shared/model/ttl-index.ts';

export interface IndexCall {
  method: 'POST' | 'PATCH';
  path: string;
  body: string;
}

export interface IndexChange {
  collection: string;
  name: string;
  isNew: boolean;
  source: TtlSource;
  schedule: Schedule;
  dueAtOnce: number;
}

/** The REST call that does what the form does. */
export function indexCall({ collection, name, isNew, source, schedule, dueAtOnce }: IndexChange): IndexCall {
  const path = `/api/collections/${encodeURIComponent(collection)}/ttl-indexes`;
  const fields: [string, unknown][] = [
    ['source', source],
    ['schedule', schedule],
    ['expect', { dueAtOnce }],
  ];
  if (isNew) fields.splice(1, 0, ['onExpire', { action: 'delete' }]);
  if (isNew) fields.unshift(['name', name]);
  return {
    method: isNew ? 'POST' : 'PATCH',
    path: isNew ? path : `${path}/${encodeURIComponent(name)}`,
    body: `{\n${fields.map(([key, value]) => `  ${JSON.stringify(key)}: ${spaced(value)}`).join(',\n')}\n}`,
  };
}

/** On one line, with room after colons and commas, and without touching text. */
function spaced(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}: ${spaced(inner)}`);
  return `{${fields.join(', ')}}`;
}
