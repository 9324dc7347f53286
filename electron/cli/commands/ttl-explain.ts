import type { Client } from '../../../shared/contract/index.ts';
import { formatCount } from '../../../shared/model/format.ts';
import { formatDocuments, formatLocalInstant } from '../output/format.ts';
import { table } from '../output/terminal.ts';
import type { Command, Session } from '../session/command.ts';

export const ttlExplain: Command = {
  name: 'ttl explain',
  summary: 'Explain when and why a document expires, or why not; without _id, per index',
  arguments: [{ name: 'COLLECTION' }, { name: '_id', optional: true }],
  options: {},
  store: 'opens',
  async run(session) {
    const { client } = await session.open();
    const id = session.args.optional('_id');
    await (id === undefined ? explainIndexes(session, client) : explainDocument(session, client, id));
    return undefined;
  },
};

async function explainDocument({ args, terminal }: Session, client: Client, id: string): Promise<void> {
  const collection = args.argument('COLLECTION');
  const [found, { now }] = await Promise.all([
    client.documents.explain({ collection, id }),
    client.store.info(),
  ]);
  await terminal.answer(found, () => [
    found.sentence,
    ...(found.deadlineAt === null
      ? []
      : [`Deadline: ${formatLocalInstant(found.deadlineAt, now)}, from ${found.deadlineFrom}.`]),
    ...(found.waitsFor === null ? [] : [`Waits for: ${found.waitsFor}.`]),
    ...(found.candidates.length === 0
      ? []
      : table(
          ['from', 'deadline', 'because'],
          found.candidates.map(({ from, deadlineAt, reason, message, paused }) => [
            paused ? `${from} (paused)` : from,
            formatLocalInstant(deadlineAt, now),
            [reason, message].filter(text => text !== null).join(': '),
          ]),
        )),
  ]);
}

async function explainIndexes({ args, terminal }: Session, client: Client): Promise<void> {
  const indexes = await client.ttlIndexes.list({ collection: args.argument('COLLECTION') });
  const answer = indexes.map(({ name, documents, overdue, quarantined, never }) => ({
    index: name,
    documents,
    overdue,
    quarantined,
    never,
  }));
  await terminal.answer(answer, () =>
    indexes.length === 0
      ? ['There are no TTL indexes; only documents with their own expiration expire.']
      : indexes.flatMap(({ name, documents, overdue, quarantined, never }) => [
          `${name}: ${formatDocuments(documents)} with a deadline, ${formatCount(overdue)} overdue, ${formatCount(quarantined)} quarantined, ${formatCount(never.count)} never.`,
          ...never.reasons.map(
            ({ reason, count, examples, message }) =>
              `  ${reason}: ${formatDocuments(count)}, such as ${examples.join(', ')}${message === undefined ? '' : ` (${message})`}`,
          ),
        ]),
  );
}
