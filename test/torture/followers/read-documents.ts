import { z } from 'zod';
import type { HostProcess } from './host-process.ts';
import type { Content } from './load.ts';

const page = z.object({
  now: z.number(),
  next: z.string().nullable(),
  documents: z.array(
    z.object({
      _id: z.string(),
      updatedAt: z.number(),
      deadlineAt: z.number().nullable(),
      document: z.object({ v: z.number(), exp: z.number().nullable() }),
    }),
  ),
});
const refusal = z.object({ code: z.string() });
const info = z.object({
  revision: z.number(),
  leader: z.object({ staleSince: z.number().nullable(), behind: z.number() }).nullable(),
});

export type Page = z.infer<typeof page>;

/** Refusals of a follower that are no failures: it is not current, or has nothing of its leader yet. */
const EXPECTED = ['STALE', 'COLLECTION_NOT_FOUND'];

/** Reads a page of the collection; a string is the code of the refusal, null no answer. */
export async function readPage(
  host: HostProcess,
  after: string | null,
  includeExpired: boolean,
): Promise<Page | string | null> {
  const query = new URLSearchParams({ limit: '1000', sort: '_id', includeExpired: String(includeExpired) });
  if (after !== null) query.set('after', after);
  const answer = await host.call('GET', `/api/collections/c/documents?${query}`);
  if (answer === null) return null;
  if (answer.status === 200) return page.parse(answer.body);
  const { code } = refusal.parse(answer.body);
  if (!EXPECTED.includes(code))
    throw new Error(`${host.name} refuses a read: ${JSON.stringify(answer.body).slice(0, 400)}`);
  return code;
}

/** Every document of a host that answers, also one past its deadline. Throws if it does not answer. */
export async function readAll(host: HostProcess): Promise<Map<string, Page['documents'][number]>> {
  const found = new Map<string, Page['documents'][number]>();
  for (let after: string | null = null; ; ) {
    const read = await readPage(host, after, true);
    if (read === null || typeof read === 'string') throw new Error(`${host.name} answers ${read}`);
    for (const document of read.documents) found.set(document._id, document);
    after = read.next;
    if (after === null) return found;
  }
}

export function contentsOf(found: ReadonlyMap<string, Page['documents'][number]>): Map<string, Content> {
  return new Map([...found].map(([id, { document }]) => [id, document]));
}

/** Revision of a host, and whether it is current if it follows a leader; null: it does not answer. */
export async function stateOf(host: HostProcess): Promise<{ revision: number; isCurrent: boolean } | null> {
  const answer = await host.call('GET', '/api/store');
  if (answer?.status !== 200) return null;
  const { revision, leader } = info.parse(answer.body);
  return { revision, isCurrent: leader === null || (leader.staleSince === null && leader.behind === 0) };
}
