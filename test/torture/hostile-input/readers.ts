import {
  cronProblem,
  lastCronTime,
  nextCronTime,
} from '../../../electron/engine/expiry/schedule/cron-ticks.ts';
import { importReader } from '../../../electron/engine/jobs/import-reader.ts';
import { importedDocument } from '../../../electron/engine/jobs/imported-expiration.ts';
import { prepareFormats } from '../../../shared/model/dates/date-formats.ts';
import { detectFormats } from '../../../shared/model/dates/detect-formats.ts';
import { parseDuration } from '../../../shared/model/duration.ts';
import { ERROR_STATUS, SandglassError } from '../../../shared/model/errors.ts';
import { compileDeadlineExpression } from '../../../shared/model/expressions/deadline-expression.ts';
import { compileFilter } from '../../../shared/model/expressions/document-filter.ts';
import { compileReplacement } from '../../../shared/model/expressions/replacement.ts';
import { isJsonObject, parseJson } from '../../../shared/model/json/json.ts';
import { parsePolicyFile } from '../../../shared/policy/policy-document.ts';
import { NOON } from '../../support/engine.ts';
import type { Random } from '../../support/random.ts';
import { documentText } from './grammars/documents.ts';
import { hostileText, mutated } from './grammars/text.ts';
import { TEXTS_OF_DEFINITIONS } from './grammars/texts-of-definitions.ts';

const { expression, cron, format, date, duration, policy } = TEXTS_OF_DEFINITIONS;
const FORMATS = ['ndjson', 'json', 'csv', 'mongoexport', 'arangoexport'] as const;
const ZONES = ['UTC', 'Europe/Berlin', '+02:00', '-23:59', 'x', '', '+99:99', '../x'] as const;
/** Longest time of the processor for one input. */
const MOST_MS = 2_000;

/** Returns the text of a problem; null: the text was accepted. Throws only what `expected` takes. */
type Read = (text: string, random: Random) => string | null;

/**
 * Readers of texts on their way to the store, by grammar. A reader refuses with a sentence or with an error of the contract, and
 * throws nothing else.
 */
const READERS: Readonly<Record<string, { make: (random: Random) => string; read: Read }>> = {
  expressions: {
    make: expression,
    read(text, random) {
      const document = documentOf(random);
      const results = [
        () => compileFilter(text)(document, NOON),
        () => {
          const compiled = compileDeadlineExpression(text);
          if ('at' in compiled.read(document, NOON)) return;
          compiled.problem(document, NOON);
        },
        () => compileReplacement(text).apply(document, NOON),
      ].map(refusal);
      return results.find(result => result !== null) ?? null;
    },
  },
  cron: {
    make: cron,
    read(text, random) {
      const line = { cron: text, timeZone: random.pick(ZONES) };
      const problem = cronProblem(line, NOON);
      if (problem !== null) return problem;
      const [last, next] = [lastCronTime(line, NOON), nextCronTime(line, NOON + 1)];
      if (!(last <= NOON && next > NOON)) throw new Error(`last ${last}, next ${next} around ${NOON}`);
      return null;
    },
  },
  'dates and their formats': {
    make: date,
    read(text, random) {
      const formats = random.chance(0.3) ? ['iso'] : [format(random)];
      const prepared = prepareFormats({ formats, zone: random.pick(ZONES) });
      if ('problem' in prepared) return prepared.problem;
      const at = prepared.read(text);
      if (at !== null && !Number.isFinite(at)) throw new Error(`${formats} reads ${text} as ${at}`);
      for (const offer of detectFormats([text, date(random)]))
        if (offer.formats.length === 0) throw new Error('an offer without formats');
      return at === null ? 'not a date' : null;
    },
  },
  durations: {
    make: duration,
    read(text) {
      const parsed = parseDuration(text);
      if ('problem' in parsed) return parsed.problem;
      if (!(parsed.seconds >= 0)) throw new Error(`“${text}” is ${parsed.seconds} s`);
      return null;
    },
  },
  policies: { make: policy, read: text => refusal(() => parsePolicyFile(text)) },
  'imported files': {
    make: importedText,
    read(text, random) {
      const reader = importReader(random.pick(FORMATS));
      let refused: string | null = null;
      const whole = refusal(() => {
        for (let at = 0; at < text.length; ) {
          const end = at + random.between(1, 200);
          for (const found of reader.push(text.slice(at, end))) refused = refusedDocument(found) ?? refused;
          at = end;
        }
        for (const found of reader.end()) refused = refusedDocument(found) ?? refused;
      });
      return whole ?? refused;
    },
  },
};

/** Lines, arrays and tables with invalid documents and cells, without the long ones. */
function importedText(random: Random): string {
  const lines = Array.from({ length: random.between(0, 4) }, () =>
    random.chance(0.5)
      ? documentText(random).slice(0, 2_000)
      : Array.from({ length: random.between(0, 4) }, () => cell(random)).join(
          random.pick([',', ';', '\t', '|']),
        ),
  );
  const text = lines.join(random.pick(['\n', '\r\n', '\n\n', ',', '\r']));
  const whole = random.chance(0.3) ? `[${text}]` : text;
  return random.chance(0.3) ? mutated(random, whole) : whole;
}

function cell(random: Random): string {
  return random.pick([
    '_id',
    'at',
    'a.b',
    '',
    '"x""y"',
    '"open',
    '"two\nlines"',
    '1e999',
    hostileText(random),
  ]);
}

function refusedDocument(
  found: Parameters<typeof importedDocument>[0] & { problem?: string },
): string | null {
  if (found.problem !== undefined) return found.problem;
  return refusal(() => importedDocument(found, { deadlines: 'absolute', idField: undefined }, NOON));
}

function documentOf(random: Random) {
  try {
    const parsed = parseJson(documentText(random));
    if (isJsonObject(parsed)) return parsed;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return { at: 1e12, a: { b: { c: 1 } }, list: [1, 'x', null], text: 'x'.repeat(100) };
}

/** Returns the message of an error of the contract; null: nothing was thrown. */
function refusal(read: () => unknown): string | null {
  try {
    read();
    return null;
  } catch (error) {
    if (error instanceof SandglassError && ERROR_STATUS[error.code] < 500) return error.message;
    throw error;
  }
}

/** Gives each reader `count` texts. Adds up inputs and refusals; returns the failures, with the text that makes each. */
export function feedReaders(
  random: Random,
  count: number,
  add: (grammar: string, refused: boolean) => void,
): string[] {
  const failures: string[] = [];
  for (const [grammar, { make, read }] of Object.entries(READERS)) {
    for (let i = 0; i < count; i++) {
      const text = make(random);
      const began = cpuMs();
      try {
        const problem = read(text, random);
        if (problem === '') failures.push(`${grammar}: refused without a reason: ${shown(text)}`);
        add(grammar, problem !== null);
      } catch (error) {
        failures.push(`${grammar}: ${String(error)}: ${shown(text)}`);
      }
      const ms = cpuMs() - began;
      if (ms > MOST_MS) failures.push(`${grammar}: ${Math.round(ms)} ms for ${shown(text)}`);
    }
  }
  return failures;
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function shown(text: string): string {
  return JSON.stringify(text.length > 300 ? `${text.slice(0, 300)}…` : text);
}
