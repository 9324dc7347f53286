import type { FormatOffer, Preview } from '../../../../../../shared/contract/ttl-indexes.ts';
import { textReader } from '../../../../../../shared/model/date-text-reader.ts';
import type { DateReader } from '../../../../../../shared/model/dates/date-reader.ts';
import { detectFormats } from '../../../../../../shared/model/dates/detect-formats.ts';
import { MOST_FORMATS } from '../../../../../../shared/model/dates/format-list.ts';
import { valueAt } from '../../../../../../shared/model/field-path.ts';
import type { NeverReason } from '../../../../../../shared/model/reference-time.ts';
import { EXAMPLES } from './preview-terms.ts';

/** Number of values from which formats are detected; they are then counted in the others. */
const DETECTED_FROM = 256;
const LONGEST_VALUE = 120;

/** Values of a scan that cannot be read as dates: examples, and formats that can read them [D3, X3]. */
export class UnreadableValues {
  readonly #fields: readonly (readonly string[])[];
  readonly #values = new Set<unknown>();
  #texts: string[] = [];
  #offers: { offer: FormatOffer; read: DateReader }[] | null = null;
  count = 0;

  constructor(fields: readonly (readonly string[])[]) {
    this.#fields = fields;
  }

  add(document: unknown, reason: NeverReason): void {
    this.count += 1;
    const value = exampleOf(document, this.#fields, reason);
    if (value === undefined) return;
    if (this.#values.size < EXAMPLES) this.#values.add(value);
    if (typeof value !== 'string') return;
    if (this.#offers !== null) this.#countOffers(value);
    else if (this.#texts.push(value) === DETECTED_FROM) this.#detect();
  }

  /** `formats` are those in effect, to which an offer adds; null: formats cannot be chosen. */
  answer(formats: readonly string[] | null): Preview['unreadable'] {
    if (this.#offers === null) this.#detect();
    const offers = (formats === null ? [] : (this.#offers ?? [])).map(({ offer }) => ({
      ...offer,
      formats: [...new Set([...(formats ?? []), ...offer.formats])].slice(0, MOST_FORMATS),
    }));
    return { count: this.count, values: [...this.#values], offers };
  }

  #detect(): void {
    this.#offers = detectFormats(this.#texts).map(offer => ({ offer, read: textReader(offer).read }));
    this.#texts = [];
  }

  #countOffers(text: string): void {
    for (const { offer, read } of this.#offers ?? []) {
      const at = read(text);
      if (at === null) continue;
      offer.values += 1;
      offer.earliestAt = Math.min(offer.earliestAt, at);
      offer.latestAt = Math.max(offer.latestAt, at);
    }
  }
}

/** Returns a document's unreadable value as an example: of limited length; of a list, its first item. */
export function exampleOf(
  document: unknown,
  fields: readonly (readonly string[])[],
  reason?: NeverReason,
): unknown {
  // The second field is the duration of the document.
  const path = reason === 'not a duration' ? fields[1] : fields[0];
  const value = path === undefined ? undefined : valueAt(document, path);
  const one: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof one === 'object' && one !== null) return '{…}';
  return typeof one === 'string' && one.length > LONGEST_VALUE ? `${one.slice(0, LONGEST_VALUE)}…` : one;
}
