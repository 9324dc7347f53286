import { prepareFormats, type TextReader } from './dates/date-formats.ts';
import type { DateFormats } from './dates/format-list.ts';
import { SandglassError } from './errors.ts';

/** Prepares the date formats of an index [D3]. Throws INVALID_TTL_INDEX with `{ format }` or `{ zone }`. */
export function textReader(formats: Readonly<DateFormats>): TextReader {
  const prepared = prepareFormats(formats);
  if ('problem' in prepared)
    throw new SandglassError('INVALID_TTL_INDEX', prepared.problem, { ...prepared.about });
  return prepared;
}
