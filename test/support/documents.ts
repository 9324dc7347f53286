import type { Client } from '../../shared/contract/index.ts';
import type { FieldSource } from '../../shared/model/ttl-index.ts';

/** Writes values as documents and answers the report. */
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

/** A source on `field`, in milliseconds, that adds nothing unless said. */
export function on(field: string, change: Partial<FieldSource> = {}): FieldSource {
  return { kind: 'field', field, unit: 'milliseconds', expireAfter: 0, ...change };
}

/** Every `_id` that an ordinary list shows, in the order it shows them, read page by page. */
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

/** What a call was refused with; a call that is not refused is the failure. */
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
