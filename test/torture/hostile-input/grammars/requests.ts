import type { Random } from '../../../support/random.ts';
import { anyProcedure, type Procedure, THINGS, valueFor } from './calls.ts';
import { documentBytes, documentLine } from './documents.ts';
import { hostileText, mutated } from './text.ts';

/** A request to the served host, whose path is sent as it is. */
export interface HostileRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
  readonly hasToken: boolean;
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'HEAD'] as const;
const TYPES = [
  'application/json',
  'application/x-ndjson',
  'text/csv',
  'text/plain',
  '',
  'application/json; charset=x',
  'multipart/form-data',
  '*/*',
];
/** Headers that a client controls; the last of each cannot be sent twice by this one. */
const HEADERS: readonly (readonly [name: string, value: string])[] = [
  ['accept-encoding', 'x'],
  ['content-encoding', 'gzip'],
  ['expect', '100-continue'],
  ['x-forwarded-for', '::1, 999.1.1.1'],
  ['x-forwarded-host', 'x'],
  ['forwarded', 'for=;;=""'],
  ['last-event-id', '9'.repeat(300)],
  ['if-none-match', '*'],
  ['range', 'bytes=-1--1'],
  ['cookie', 'a=b; '.repeat(100)],
  ['origin', 'null'],
  ['x-long', 'x'.repeat(6_000)],
];

/** A call of any route with an input near its schema, one of whose parts is wrong more often than not. */
export function restRequest(random: Random): HostileRequest {
  const procedure = anyProcedure(random, 'routed');
  const { route } = procedure;
  if (route === null) throw new Error(`${procedure.name} has no route`);
  const { address, query, body } = partsOf(random, procedure, route);
  const search = new URLSearchParams(query).toString();
  const whole = search === '' ? address : `${address}?${search}`;
  const path = random.chance(0.08) ? printable(mutated(random, whole)) : whole;
  const text = JSON.stringify(body) ?? '';
  return {
    method: random.chance(0.05) ? random.pick(METHODS) : route.method,
    path: path.startsWith('/') ? path.slice(0, 12_000) : `/api/${path}`.slice(0, 12_000),
    headers: headersOf(random),
    body: route.method === 'GET' ? null : Buffer.from(random.chance(0.1) ? mutated(random, text) : text),
    hasToken: random.chance(0.93),
  };
}

const WRITES = [
  [`/api/collections/${THINGS}/documents`, 'POST', 'application/json'],
  [`/api/collections/${THINGS}/documents?mode=upsert&atomic=true`, 'POST', 'application/json'],
  [`/api/collections/${THINGS}/documents/a`, 'PUT', 'application/json'],
] as const;

/** Writes one hostile document, or an array of them. */
export function documentRequest(random: Random): HostileRequest {
  const [path, method, type] = random.pick(WRITES);
  const one = documentBytes(random);
  const isArray = method === 'POST' && random.chance(0.3);
  const body = isArray
    ? Buffer.concat([Buffer.from('['), one, Buffer.from(','), documentBytes(random), Buffer.from(']')])
    : one;
  return { method, path, headers: { 'content-type': type }, body, hasToken: true };
}

/** Lines, of which each is refused or accepted by itself. */
export function linesRequest(random: Random, lines: number): HostileRequest {
  // One byte that is not UTF-8 refuses the whole file.
  const lineOf = random.chance(0.1) ? documentBytes : documentLine;
  const all = Array.from({ length: lines }, () => Buffer.concat([lineOf(random), Buffer.from('\n')]));
  const isImport = random.chance(0.3);
  return {
    method: 'POST',
    path: isImport
      ? `/api/collections/${THINGS}/imports?format=${random.pick(['ndjson', 'json', 'csv', 'mongoexport', 'arangoexport'])}`
      : `/api/collections/${THINGS}/documents?mode=${random.pick(['insert', 'upsert'])}`,
    headers: { 'content-type': 'application/x-ndjson' },
    body: Buffer.concat(all),
    hasToken: true,
  };
}

function partsOf(
  random: Random,
  { input }: Procedure,
  route: { method: string; path: string; isDetailed: boolean },
) {
  const value = valueFor(random, input.type === 'object' ? input : { ...input, type: 'object' });
  const given: Record<string, unknown> = isRecord(value) ? { ...value } : {};
  const inside = (name: string) => (isRecord(given[name]) ? given[name] : {});
  const params = route.isDetailed ? inside('params') : given;
  const named = new Set<string>();
  const address = route.path.replace(/\{([^}]+)\}/g, (_, name: string) => {
    named.add(name);
    const part = params[name];
    const text = typeof part === 'string' && random.chance(0.9) ? part : hostileText(random);
    return encodeURIComponent(text.toWellFormed().slice(0, 1_000));
  });
  if (route.isDetailed) return { address, query: texts(inside('query')), body: given.body };
  const rest = Object.fromEntries(Object.entries(given).filter(([name]) => !named.has(name)));
  return route.method === 'GET'
    ? { address, query: texts(rest), body: undefined }
    : { address, query: {}, body: rest };
}

function texts(values: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed().slice(0, 2_000),
    ]),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function headersOf(random: Random): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': random.chance(0.85) ? 'application/json' : random.pick(TYPES),
  };
  if (random.chance(0.1)) {
    const [name, value] = random.pick(HEADERS);
    headers[name] = value;
  }
  return headers;
}

/** Replaces characters that Node's client does not permit in a path: other bytes are sent by `raw-requests.ts`. */
function printable(text: string): string {
  return text.replaceAll(/[^\u0021-\u00ff]/g, '%');
}
