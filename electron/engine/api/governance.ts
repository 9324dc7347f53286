import type { Preview, TtlIndex } from '../../../shared/contract/ttl-indexes.ts';
import { needsConfirmation, newlyDue } from '../../../shared/model/confirmation-rule.ts';
import { SandglassError } from '../../../shared/model/errors.ts';
import { noSuchIndex } from '../../../shared/model/ttl-index.ts';
import { byCaller } from '../access/audit-log.ts';
import type { Governance, GovernedDefinition, IndexChangeOptions } from '../backends/backend.ts';
import type { Engine, RemoteEngine } from './context.ts';
import { isAsExpected } from './effects.ts';
import { api } from './procedure-guard.ts';

/** TTL indexes that are kept in a remote database itself. */
export const governance = {
  schema: api.governance.schema.handler(({ context: { engine } }) => governanceOf(engine).schema()),
  createSchema: api.governance.createSchema.handler(async ({ context: { engine, caller } }) => {
    const created = await governanceOf(engine).createSchema();
    engine.audit.done({ what: 'schema of TTL indexes created', ...byCaller(caller) });
    engine.feed.touched();
    return created;
  }),
  table: api.governance.table.handler(({ input: { collection, index }, context: { engine } }) =>
    governanceOf(engine).report(collection, index),
  ),
};

/** Throws NOT_SUPPORTED; the guard refuses other engines before, by their capabilities. */
export function governanceOf({ kind, backend }: Engine): Governance {
  if (kind === 'remote' && backend.governance !== null) return backend.governance;
  throw new SandglassError('NOT_SUPPORTED', 'The engine of this connection has no such call.', {
    feature: 'governance',
  });
}

/** The preview that a person confirmed [R8]. */
interface Expectation {
  dueAtOnce: number;
}

/**
 * Creates a TTL index, or with `before` changes it. Throws EXPECTATION_FAILED with the preview if the person saw another
 * effect, or none although it needs a confirmation [R8].
 */
export async function defineGoverned(
  engine: RemoteEngine,
  collection: string,
  definition: GovernedDefinition,
  {
    expect,
    before,
    ...options
  }: IndexChangeOptions & { expect: Expectation | undefined; before: TtlIndex | null },
): Promise<TtlIndex> {
  const governed = governanceOf(engine);
  if (definition.schedule.mode !== 'observe')
    await checkPreview(engine, collection, definition, { expect, before });
  if (before === null) await governed.create(collection, definition, options);
  else await governed.change(collection, definition, options);
  engine.feed.touched();
  return governedIndex(engine, collection, definition.name);
}

async function checkPreview(
  engine: RemoteEngine,
  collection: string,
  { source, name }: GovernedDefinition,
  { expect, before }: { expect: Expectation | undefined; before: TtlIndex | null },
): Promise<void> {
  const isSame = before !== null && JSON.stringify(before.source) === JSON.stringify(source);
  if (isSame && expect === undefined) return;
  const query = { collection, source, ...(before !== null && { name }) };
  const preview = await governanceOf(engine).preview(query);
  const { documents, dueAtOnce, at } = preview;
  const settings = engine.backend.settings.get();
  const isConfirmed =
    expect === undefined
      ? !needsConfirmation({ due: newlyDue(preview, before), documents }, settings)
      : isAsExpected(expect.dueAtOnce, dueAtOnce);
  if (!isConfirmed) throw notAsExpected(preview, expect, at);
}

function notAsExpected(preview: Preview, expect: Expectation | undefined, at: number): SandglassError {
  const { dueAtOnce, documents } = preview;
  const message =
    expect === undefined
      ? `${dueAtOnce} of ${documents} rows would expire at once. Nothing was changed; to confirm, repeat the call with "expect": {"dueAtOnce": ${dueAtOnce}, "at": ${at}}.`
      : `${dueAtOnce} rows would expire at once, not ${expect.dueAtOnce} as expected. Nothing was changed; see the new preview.`;
  return new SandglassError('EXPECTATION_FAILED', message, { preview });
}

/** Throws TTL_INDEX_NOT_FOUND. */
export async function governedIndex(
  engine: RemoteEngine,
  collection: string,
  name: string,
): Promise<TtlIndex> {
  const found = (await governanceOf(engine).indexes(collection)).find(index => index.name === name);
  if (found === undefined) throw noSuchIndex(collection, name);
  return found;
}
