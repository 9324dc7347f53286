import type { Schedule, TtlSource } from '../../../shared/model/ttl-index.ts';
import { jsonLine } from '../../components/json-line.ts';

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
    body: `{\n${fields.map(([key, value]) => `  ${JSON.stringify(key)}: ${jsonLine(value)}`).join(',\n')}\n}`,
  };
}
