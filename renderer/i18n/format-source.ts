import { t } from '@lingui/core/macro';
import type { TimeUnit } from '../../shared/model/reference-time.ts';
import type { TtlSource } from '../../shared/model/ttl-index.ts';
import { formatAlternatives } from './sentence.ts';

/** Returns the source of an index as part of a sentence: the path of its field, or a description. */
export function formatSource(source: TtlSource): string {
  switch (source.kind) {
    case 'field':
      return source.field;
    case 'lastModified':
      return t`the last write`;
    case 'expression':
      return t`its expression`;
  }
}

/** Describes how text in the field is read: `read as yyyy.MM.dd in UTC`; null: as ISO 8601, or no text is read. */
export function formatReading(source: TtlSource): string | null {
  if (source.kind !== 'field' || source.formats === undefined) return null;
  const formats = formatAlternatives(source.formats);
  const zone = source.zone ?? 'UTC';
  return t`read as ${formats} in ${zone}`;
}

/** Describes how numbers in the field are read: `numbers read as seconds`. */
export const formatUnit = (unit: TimeUnit): string =>
  unit === 'seconds' ? t`numbers read as seconds` : t`numbers read as milliseconds`;
