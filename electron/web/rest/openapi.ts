import { type JSONSchema, OpenAPIGenerator } from '@orpc/openapi';
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4';
import { contract } from '../../../shared/contract/index.ts';
import { csvDelimiter, importDeadlines, importFormat } from '../../../shared/contract/jobs.ts';
import { PROCEDURES, type ProcedureName } from '../../../shared/contract/procedure-facts.ts';
import { jsonObject } from '../../../shared/contract/schemas/common-schemas.ts';
import { CONNECTION_PARAMETER } from '../../../shared/model/transport/connection-id.ts';
import { SCRAPE_PATH } from './scrape.ts';

/** Macrometa's addresses begin with a fabric; only the system fabric is supported. */
const MACROMETA_PREFIX = '/_fabric/_system';

const ERROR: JSONSchema = {
  type: 'object',
  properties: { code: { type: 'string' }, message: { type: 'string' }, data: {} },
  required: ['code', 'message', 'data'],
};

/** A schema with a custom check has no JSON schema: it is described as an object with any members. */
const converter = new ZodToJsonSchemaConverter({
  interceptors: [
    options => (options.schema === jsonObject ? [true, { type: 'object' }] : options.next(options)),
  ],
});

/** Routes that need a body although all of its fields are optional. */
const BODY_REQUIRED = [
  '/api/collections/{collection}/documents',
  '/api/collections/{collection}/ttl-indexes/preview',
];

/** Returns the OpenAPI document of the host's routes, derived from the contract. */
export async function describeApi(version: string): Promise<object> {
  const description = await new OpenAPIGenerator({
    schemaConverters: [converter],
  }).generate(contract, {
    info: { title: 'Sandglass', version },
    security: [{ token: [] }],
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    filter: ({ contract: { '~orpc': procedure } }) => procedure.route.path !== undefined,
    customErrorResponseBodySchema: () => ERROR,
  });
  const write = description.paths?.['/api/collections/{collection}/documents']?.post?.requestBody;
  if (write !== undefined && 'content' in write) {
    // The contract accepts any body, since each invalid document is reported individually.
    write.content['application/json'] = {
      schema: { oneOf: [{ type: 'object' }, { type: 'array', items: { type: 'object' } }] },
    };
    // Handled beside the contract's route (see ndjson-upload.ts).
    write.content['application/x-ndjson'] = { schema: { type: 'string' } };
  }
  for (const path of BODY_REQUIRED) {
    const body = description.paths?.[path]?.post?.requestBody;
    if (body !== undefined && 'content' in body) body.required = true;
  }
  describeImports(description);
  describeOthers(description);
  describeConnections(description);
  describePermissions(description);
  return description;
}

/** `POST …/imports` is not a procedure of the contract: its body is streamed through several (see file-import.ts). */
function describeImports(description: Awaited<ReturnType<OpenAPIGenerator['generate']>>): void {
  const parameter = (name: string, values: readonly string[]) => ({
    name,
    in: 'query' as const,
    schema:
      values.length === 0 ? { type: 'string' as const } : { type: 'string' as const, enum: [...values] },
  });
  const job = description.paths?.['/api/jobs/{job}']?.get?.responses?.['200'];
  description.paths = {
    ...description.paths,
    '/api/collections/{collection}/imports': {
      post: {
        operationId: 'imports.upload',
        summary: 'Import a file as a job; GET /api/jobs/{job} contains committedLines',
        tags: ['Jobs'],
        parameters: [
          { name: 'collection', in: 'path', required: true, schema: { type: 'string' } },
          parameter('format', importFormat.options),
          parameter('delimiter', csvDelimiter.options),
          parameter('mode', ['upsert', 'insert']),
          parameter('idField', []),
          parameter('create', ['true', 'false']),
          parameter('deadlines', importDeadlines.options),
        ],
        requestBody: { content: { 'application/x-ndjson': {}, 'application/json': {}, 'text/csv': {} } },
        responses: job === undefined ? {} : { '202': job },
      },
    },
  };
}

/** Every route takes the connection in its query; rest.ts evaluates it before the route is looked up. */
function describeConnections({ paths = {} }: Awaited<ReturnType<OpenAPIGenerator['generate']>>): void {
  for (const item of Object.values(paths)) {
    if (item === undefined) continue;
    item.parameters = [
      ...(item.parameters ?? []),
      {
        name: CONNECTION_PARAMETER,
        in: 'query',
        required: false,
        description: 'Id of the connection, as listed by GET /api/connections; home by default.',
        schema: { type: 'string' },
      },
    ];
  }
}

/** Operations beside the contract, with the procedure whose permission they need. */
const ANSWERED_AS: Readonly<Record<string, ProcedureName>> = {
  'imports.upload': 'imports.start',
  'metrics.scrape': 'metrics.prometheus',
  'ttlIndexes.ensureInFabric': 'ttlIndexes.ensure',
  openapi: 'store.info',
};

/** States the permission that each operation needs, and whether it writes [P1, P2]. */
function describePermissions({ paths = {} }: Awaited<ReturnType<OpenAPIGenerator['generate']>>): void {
  for (const item of Object.values(paths)) {
    for (const operation of [item?.get, item?.put, item?.post, item?.patch, item?.delete]) {
      const name = operation?.operationId ?? '';
      const facts = PROCEDURES.get(ANSWERED_AS[name] ?? name);
      if (operation === undefined || facts === undefined) continue;
      operation.description = `Needs the permission ${facts.permission}. ${
        facts.writes
          ? 'Writes: refused on a read-only connection and by a mirror.'
          : 'Writes nothing to the store.'
      }`;
    }
  }
}

/** Routes beside the contract: this document, Prometheus, and Macrometa's address [M2]. */
function describeOthers(description: Awaited<ReturnType<OpenAPIGenerator['generate']>>): void {
  const ensure = description.paths?.['/_api/index/ttl'];
  description.paths = {
    ...description.paths,
    [SCRAPE_PATH]: {
      get: {
        operationId: 'metrics.scrape',
        summary: 'Metrics in the Prometheus text format, or in OpenMetrics where the request accepts it',
        tags: ['Metrics'],
        responses: {
          '200': { description: 'OK', content: { 'text/plain': { schema: { type: 'string' } } } },
        },
      },
    },
    '/api/openapi.json': {
      get: {
        operationId: 'openapi',
        summary: 'This document',
        tags: ['Store'],
        responses: { '200': { description: 'OK', content: { 'application/json': {} } } },
      },
    },
    ...(ensure?.post === undefined
      ? {}
      : {
          [`${MACROMETA_PREFIX}/_api/index/ttl`]: {
            post: { ...ensure.post, operationId: 'ttlIndexes.ensureInFabric' },
          },
        }),
  };
}
