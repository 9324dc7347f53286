import type { ExpressionCandidate, FieldCandidate } from '../../../../../shared/contract/ttl-indexes.ts';
import { detectTimeOfDay } from '../../../../../shared/model/dates/detect-formats.ts';

const MOST_EXPRESSIONS = 3;
/** Reserved words of CEL, which cannot follow a dot. */
const RESERVED =
  /^(as|break|const|continue|else|false|for|function|if|import|in|let|loop|package|namespace|null|return|true|var|void|while)$/;

/** Returns expressions that read a date in one field with the time of day in another field of the same object. */
export function expressionsOf(
  candidates: readonly FieldCandidate[],
  seen: ReadonlyMap<string, { texts: readonly string[] }>,
): ExpressionCandidate[] {
  const textsOf = (field: string) => seen.get(field)?.texts ?? [];
  const times = candidates.flatMap(({ field }) => {
    const pattern = detectTimeOfDay(textsOf(field));
    return pattern === null ? [] : [{ field, pattern }];
  });
  if (times.length === 0) return [];
  return candidates
    .flatMap(candidate => {
      const { field } = candidate;
      const date = dateAlone(candidate, textsOf(field));
      const time = date === null ? undefined : times.find(other => parentOf(other.field) === parentOf(field));
      if (date === null || time === undefined || time.field === field) return [];
      const pattern = JSON.stringify(`${date.pattern} ${time.pattern}`);
      const expression = `timestamp(${read(field)} + " " + ${read(time.field)}, ${pattern})`;
      return [{ expression, fields: [field, time.field], doubt: date.doubt }];
    })
    .slice(0, MOST_EXPRESSIONS);
}

/** Returns the pattern of a field that holds dates without a time of day; null for any other field. */
function dateAlone(
  { offers: [offer], dates, present }: FieldCandidate,
  texts: readonly string[],
): (Pick<ExpressionCandidate, 'doubt'> & { pattern: string }) | null {
  if (dates === present && texts.length > 0 && texts.every(text => /^\d{4}-\d\d-\d\d$/.test(text)))
    return { pattern: 'yyyy-MM-dd', doubt: null };
  const [pattern, other] = offer?.formats ?? [];
  if (offer === undefined || pattern === undefined || other !== undefined || /[Hh]/.test(pattern))
    return null;
  return { pattern, doubt: offer.doubt };
}

function parentOf(field: string): string {
  return field.slice(0, field.lastIndexOf('.') + 1);
}

/** Returns CEL that reads a field: `doc.log.Date`, `doc["log date"]`. */
function read(field: string): string {
  const steps = field
    .split('.')
    .map(step =>
      /^[A-Za-z_][A-Za-z0-9_]*$/.test(step) && !RESERVED.test(step)
        ? `.${step}`
        : `[${JSON.stringify(step)}]`,
    );
  return `doc${steps.join('')}`;
}
