import { isContractProcedure } from '@orpc/contract';
import { z } from 'zod';
import { contract } from '../../../../shared/contract/index.ts';
import type { Random } from '../../../support/random.ts';
import { documentText } from './documents.ts';
import { hostileText } from './text.ts';
import { TEXTS_OF_DEFINITIONS } from './texts-of-definitions.ts';

/** Names that exist in the store under test. */
export const THINGS = 'things';

/** Part of JSON Schema that the contract's inputs use. */
const schemaType: z.ZodType<Schema> = z.lazy(() =>
  z.object({
    type: z
      .string()
      .or(z.array(z.string()).transform(types => types[0]))
      .optional(),
    const: z.unknown().optional(),
    enum: z.array(z.unknown()).optional(),
    anyOf: z.array(schemaType).optional(),
    oneOf: z.array(schemaType).optional(),
    properties: z.record(z.string(), schemaType).optional(),
    required: z.array(z.string()).optional(),
    items: schemaType.optional(),
  }),
);
interface Schema {
  type?: string | undefined;
  const?: unknown;
  enum?: unknown[] | undefined;
  anyOf?: Schema[] | undefined;
  oneOf?: Schema[] | undefined;
  properties?: Record<string, Schema> | undefined;
  required?: string[] | undefined;
  items?: Schema | undefined;
}

/** A procedure of the contract, with the schema of its input. */
export interface Procedure {
  /** Such as `documents.list`. */
  readonly name: string;
  /** Null: it has no route, and is called over a socket only. */
  readonly route: { readonly method: string; readonly path: string; readonly isDetailed: boolean } | null;
  readonly input: Schema;
}

/** Streams, which do not end; and calls that close the store under test or take long by what they do. */
const LEFT_OUT =
  /^(live\.watch|events\.watch|store\.loadSampleData|connections\.(open|close|remove|update|reorder))$/;

/** Calls that write the whole file or start a thread: one call in 20 of those that would be made. */
const RARE = /^(expired\.purge|store\.(compact|check|backup|recover)|connections\.(create|test)|policy\.)/;

/** Every procedure that can be called with any input. */
const CALLED: readonly Procedure[] = proceduresOf(contract).filter(({ name }) => !LEFT_OUT.test(name));
const ROUTED = CALLED.filter(({ route }) => route !== null);

export function anyProcedure(random: Random, among: 'all' | 'routed'): Procedure {
  for (;;) {
    const procedure = random.pick(among === 'all' ? CALLED : ROUTED);
    if (!RARE.test(procedure.name) || random.chance(0.05)) return procedure;
  }
}

function proceduresOf(router: unknown, path: readonly string[] = []): Procedure[] {
  if (isContractProcedure(router)) {
    const { route, inputSchema } = router['~orpc'];
    const { method = 'POST', path: address, inputStructure } = route;
    return [
      {
        name: path.join('.'),
        route:
          address === undefined ? null : { method, path: address, isDetailed: inputStructure === 'detailed' },
        input:
          inputSchema instanceof z.ZodType
            ? schemaType.parse(z.toJSONSchema(inputSchema, { io: 'input', unrepresentable: 'any' }))
            : {},
      },
    ];
  }
  if (typeof router !== 'object' || router === null) return [];
  return Object.entries(router).flatMap(([name, child]) => proceduresOf(child, [...path, name]));
}

const NUMBERS = [0, 1, 2, 10, 1_000, -1, 1.5, 1e12, 1e300, -1e300, 2 ** 53, -(2 ** 53)];
const { expression, cron, format, duration, policy } = TEXTS_OF_DEFINITIONS;

/** Values by name of a field, so that calls reach beyond the check of their input. None is the address of a machine. */
const BY_NAME: Readonly<Record<string, (random: Random) => unknown>> = {
  collection: random => random.pick([THINGS, THINGS, THINGS, 'missing', '']),
  to: random => random.pick([THINGS, 'other', 'missing']),
  id: random => random.pick(['a', 'b', 'missing']),
  ids: random => random.pick([['a'], ['a', 'a', 'missing'], [], ['']]),
  name: random => random.pick(['i', 'new', 'a/b', '__proto__']),
  index: random => random.pick(['i', 'missing', 'explicit']),
  follower: random => random.pick(['f', '', 'x']),
  expression,
  cel: expression,
  cron,
  policy,
  text: policy,
  formats: random => [format(random)],
  zone: random => random.pick(['UTC', 'Europe/Berlin', '+02:00', 'x']),
  timeZone: random => random.pick(['UTC', 'Europe/Berlin', 'x']),
  duration,
  file: random => random.pick(['x.sandglass', '../x', '/dev/null', 'text.sandglass', '', 'a\u0000b']),
  uri: random =>
    random.pick(['redis://127.0.0.1:1/0', 'postgres://127.0.0.1:1/x', 'http://127.0.0.1:1', 'x']),
  url: random => random.pick(['http://127.0.0.1:1/', 'file:///etc/passwd', 'x', '']),
  target: random => ({
    kind: 'file',
    file: random.pick(['../x', '/dev/null', 'text.sandglass', '', 'x\u0000']),
  }),
  ssh: () => ({ host: '127.0.0.1', port: 1, user: 'x' }),
  // Longer waits are permitted, and would delay the test.
  waitMs: random => random.pick([0, 1, 5, -1, 'x', 1e300]),
  after: random => random.pick([0, 1, -1, 1e300, '', 'x', null]),
  documents: random => random.pick([0, 1, -1, 1e300]),
};

/** A value that a schema permits, or nearly: with fields left out, added, of another kind, or of a hostile text. */
export function valueFor(random: Random, schema: Schema, name = '', depth = 6): unknown {
  const named = BY_NAME[name];
  if (named !== undefined && random.chance(0.8)) return named(random);
  if (depth === 0 || random.chance(0.06)) return hostileValue(random);
  const forms = schema.anyOf ?? schema.oneOf;
  if (forms !== undefined && forms.length > 0) return valueFor(random, random.pick(forms), name, depth - 1);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined && schema.enum.length > 0) return random.pick(schema.enum);
  switch (schema.type) {
    case 'object':
      return objectFor(random, schema, depth);
    case 'array':
      return Array.from({ length: random.between(0, 3) }, () =>
        valueFor(random, schema.items ?? {}, name, depth - 1),
      );
    case 'string':
      return random.chance(0.4) ? random.pick(['x', 'a', THINGS, 'i']) : hostileText(random);
    case 'number':
    case 'integer':
      return random.pick(NUMBERS);
    case 'boolean':
      return random.chance(0.5);
    default:
      return random.chance(0.5) ? parsedDocument(random) : hostileValue(random);
  }
}

function objectFor(random: Random, { properties = {}, required = [] }: Schema, depth: number): object {
  const entries: [string, unknown][] = [];
  for (const [name, inside] of Object.entries(properties)) {
    if (random.chance(required.includes(name) ? 0.96 : 0.3))
      entries.push([name, valueFor(random, inside, name, depth - 1)]);
  }
  if (random.chance(0.03)) entries.push([hostileText(random).slice(0, 500), hostileValue(random)]);
  return Object.fromEntries(entries);
}

export function hostileValue(random: Random): unknown {
  return random.pick<() => unknown>([
    () => hostileText(random),
    () => random.pick(NUMBERS),
    () => null,
    () => true,
    () => [],
    () => ({}),
    () => [[[]]],
    () => [null],
    () => ({ constructor: { prototype: {} } }),
    () => JSON.parse('{"__proto__": {"x": 1}}'),
    () => ({ _id: 'x', at: {} }),
  ])();
}

function parsedDocument(random: Random): unknown {
  const text = documentText(random);
  // Deeper ones cannot be written again; they are sent as text by other grammars.
  if (text.length > 3_000) return {};
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}
