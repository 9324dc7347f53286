import { textReader } from './date-text-reader.ts';
import { valueAt } from './field-path.ts';
import { LAST_INSTANT, type ReferenceTime, readReferenceTime } from './reference-time.ts';
import type { FieldSource, OwnTtlSource } from './ttl-index.ts';

/** Returns a document's reference time; `updatedAt` is its last write, epoch ms. Never throws. */
export type ReferenceTimeReader = (document: unknown, updatedAt: number) => ReferenceTime;

/**
 * The reader of a field source, with one duration for all documents or a TTL field [D1, D2]. Throws INVALID_TTL_INDEX
 * for an invalid date format or zone [D3].
 */
export function fieldSourceReader(source: FieldSource | OwnTtlSource): ReferenceTimeReader {
  const read = fieldReader(source);
  return source.expireAfterField === undefined ? read : ownTtlReader(read, source.expireAfterField);
}

function fieldReader({ field, unit, formats, zone }: FieldSource | OwnTtlSource): ReferenceTimeReader {
  const texts = formats === undefined ? null : textReader({ formats, zone });
  const path = field.split('.');
  if (path.length > 1) return document => readReferenceTime(valueAt(document, path), unit, texts);
  return document =>
    readReferenceTime(
      typeof document === 'object' && document !== null && Object.hasOwn(document, field)
        ? (document as Record<string, unknown>)[field]
        : undefined,
      unit,
      texts,
    );
}

/** Returns no deadline if the TTL is missing, negative or not finite [D2]. */
function ownTtlReader(read: ReferenceTimeReader, ttlField: string): ReferenceTimeReader {
  const path = ttlField.split('.');
  return (document, updatedAt) => {
    const reference = read(document, updatedAt);
    if (!('at' in reference)) return reference;
    const value = valueAt(document, path);
    const seconds = typeof value === 'number' || typeof value === 'bigint' ? Number(value) : Number.NaN;
    if (!Number.isFinite(seconds) || seconds < 0) return { reason: 'not a duration' };
    const at = reference.at + Math.round(seconds * 1000);
    return at <= LAST_INSTANT ? { at } : { reason: 'out of range' };
  };
}
