import { type ConditionalSchemaConverter, type JSONSchema, OpenAPIGenerator } from '@orpc/openapi';
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4';
import { contract } from '../../shared/contract/index.ts';

const ERROR: JSONSchema = {
  type: 'object',
  properties: { code: { type: 'string' }, message: { type: 'string' }, data: {} },
  required: ['code', 'message', 'data'],
};

const zod = new ZodToJsonSchemaConverter();

/** A status that a handler picks as it runs has no place in the document, which then names the route's usual one. */
function withoutOpenStatus(schema: JSONSchema): JSONSchema {
  if (typeof schema !== 'object' || schema.properties?.body === undefined) return schema;
  const { status, ...properties } = schema.properties;
  if (typeof status !== 'object' || status.const !== undefined) return schema;
  return { ...schema, properties, required: (schema.required ?? []).filter(name => name !== 'status') };
}

const converter: ConditionalSchemaConverter = {
  condition: schema => zod.condition(schema),
  convert(schema, options) {
    const [required, converted] = zod.convert(schema, options);
    return [required, withoutOpenStatus(converted)];
  },
};

/** The OpenAPI document of what the host serves, derived from the contract. */
export async function describeApi(version: string): Promise<object> {
  const description = await new OpenAPIGenerator({ schemaConverters: [converter] }).generate(contract, {
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
  return description;
}
