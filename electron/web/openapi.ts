import { type JSONSchema, OpenAPIGenerator } from '@orpc/openapi';
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4';
import { contract } from '../../shared/contract/index.ts';
import { csvDelimiter, importDeadlines, importFormat } from '../../shared/contract/jobs.ts';

const ERROR: JSONSchema = {
  type: 'object',
  properties: { code: { type: 'string' }, message: { type: 'string' }, data: {} },
  required: ['code', 'message', 'data'],
};

/** The OpenAPI document of what the host serves, derived from the contract. */
export async function describeApi(version: string): Promise<object> {
  const description = await new OpenAPIGenerator({
    schemaConverters: [new ZodToJsonSchemaConverter()],
  }).generate(contract, {
    info: { title: 'Sandglass', version },
    security: [{ token: [] }],
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    filter: ({ contract: { '~orpc': procedure } }) => procedure.route.path !== undefined,
    customErrorResponseBodySchema: () => ERROR,
  });
  const write = description.paths?.['/api/collections/{collection}/documents']?.post?.requestBody;
  if (write !== undefined && 'content' in write) {
    // The contract leaves the body open, since what is wrong with a document is told document by document.
    write.content['application/json'] = {
      schema: { oneOf: [{ type: 'object' }, { type: 'array', items: { type: 'object' } }] },
    };
    // Streamed beside the contract's own route (see ndjson-upload.ts).
    write.content['application/x-ndjson'] = { schema: { type: 'string' } };
  }
  describeImports(description);
  return description;
}

/** `POST …/imports` is no procedure of its own: its body is streamed through several (see background-import.ts). */
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
        summary: 'Import a file as a job; GET /api/jobs/{job} tells committedLines',
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
