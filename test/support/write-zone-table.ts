/**
 * Writes shared/model/dates/zone-table.ts from the time zones of this Node: `node test/support/write-zone-table.ts`.
 * Names and aliases are those of the system's tzdata. A table with other offsets gives documents other deadlines: raise
 * READING_RULES_VERSION with it.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const END = Date.UTC(2054, 0, 1) / 1_000;
/** No two changes of a zone are closer. */
const STEP = 4 * 86_400;
const TARGET = new URL('../../shared/model/dates/zone-table.ts', import.meta.url);

function namesOfZones(): string[] {
  const lines = readFileSync('/usr/share/zoneinfo/tzdata.zi', 'utf8').split('\n');
  const named = lines.flatMap(line => {
    const [kind, first = '', second = ''] = line.split(' ');
    return kind === 'Z' ? [first] : kind === 'L' ? [second] : [];
  });
  const all = new Set([...Intl.supportedValuesOf('timeZone'), ...named]);
  return [...all].filter(isKnown).sort();
}

function isKnown(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone }).format(0) !== '';
  } catch {
    return false;
  }
}

/** Returns the offset of a zone at an instant, both in seconds. */
function offsetsOf(timeZone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  return at => {
    const text = format.formatToParts(at * 1_000).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign, hours = '0', minutes = '0', seconds = '0'] =
      /^GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(text) ?? [];
    return (sign === '-' ? -1 : 1) * (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) || 0;
  };
}

function encode(timeZone: string): string {
  const offsetAt = offsetsOf(timeZone);
  const known = [offsetAt(0)];
  let changes = '';
  const deltas: string[] = [];
  let last = 0;
  for (let at = 0, before = offsetAt(0); at < END; at += STEP) {
    const after = offsetAt(at + STEP);
    if (after === before) continue;
    let [low, high] = [at, at + STEP];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (offsetAt(middle) === before) low = middle;
      else high = middle;
    }
    if (!known.includes(after)) known.push(after);
    changes += known.indexOf(after).toString(36);
    deltas.push((high - last).toString(36));
    last = high;
    before = after;
  }
  return `${known.join(' ')}|${changes}|${deltas.join(' ')}`;
}

const byText = new Map<string, string>();
const entries = namesOfZones().map(name => {
  const text = encode(name);
  const same = byText.get(text);
  if (same === undefined) byText.set(text, name);
  return `  ${/^\w+$/.test(name) ? name : `'${name}'`}: '${same ?? text}',`;
});
writeFileSync(
  TARGET,
  `/**
 * Time zones by IANA name, from 1970 to 2053: tzdata ${process.versions.tz ?? ''}, written by test/support/write-zone-table.ts. A zone
 * that names another one equals it. The encoding is that of parseZone in zone-offset.ts.
 */
export const ZONES: Readonly<Record<string, string>> = {
${entries.join('\n')}
};
`,
);
