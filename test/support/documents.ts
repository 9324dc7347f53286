import type { Client } from '../../shared/contract/index.ts';
import type { FieldSource } from '../../shared/model/ttl-index.ts';

/** Writes values as documents and returns the report. */
export function write(
  client: Client,
  collection: string,
  documents: readonly unknown[],
  query: { mode?: 'insert' | 'upsert'; atomic?: boolean } = {},
) {
  return client.documents.write({
    params: { collection },
    query: { mode: query.mode ?? 'insert', atomic: query.atomic ?? false },
    body: documents,
  });
}

/** Returns a source on `field`, in milliseconds; `expireAfter` is 0 by default. */
export function on(field: string, change: Partial<FieldSource> = {}): FieldSource {
  return { kind: 'field', field, unit: 'milliseconds', expireAfter: 0, ...change };
}

/** Returns every `_id` of an ordinary list, in its order, read page by page. */
export async function listIds(
  client: Client,
  query: Parameters<Client['documents']['list']>[0],
): Promise<string[]> {
  const ids: string[] = [];
  let after: string | undefined;
  do {
    const page = await client.documents.list({ ...query, ...(after === undefined ? {} : { after }) });
    ids.push(...page.documents.map(({ _id }) => _id));
    after = page.next ?? undefined;
  } while (after !== undefined);
  return ids;
}

/** Returns the error of a call. Throws if the call succeeds. */
export async function refusal(
  call: Promise<unknown>,
): Promise<{ code: string; message: string; data: unknown }> {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return {
      code: 'code' in error ? String(error.code) : error.name,
      message: error.message,
      data: 'data' in error ? error.data : undefined,
    };
  }
  throw new Error('the call was answered and not refused');
}
