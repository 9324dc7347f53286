import type { Capabilities } from '../../../shared/contract/capabilities.ts';
import { formatBytes, formatCount } from '../../../shared/model/format.ts';
import { formatDocuments, formatLocalInstant, formatRelativeOrDash } from '../output/format.ts';
import { table } from '../output/terminal.ts';
import type { Command } from '../session/command.ts';
import { confirmLoss } from '../session/confirm-effect.ts';

const GROUPS: Record<Capabilities['words']['group'], string> = {
  collection: 'collections',
  prefix: 'prefixes',
  table: 'tables',
};

const list: Command = {
  name: 'collections',
  summary: 'List collections with the number of documents, overdue documents and the next deadline',
  arguments: [],
  options: {},
  store: 'opens',
  async run({ terminal, open }) {
    const { client } = await open();
    const [found, { now, capabilities }] = await Promise.all([
      client.collections.list(),
      client.store.info(),
    ]);
    const { record, group } = capabilities.words;
    await terminal.answer(found, () =>
      found.length === 0
        ? [`There are no ${GROUPS[group]}.`]
        : table(
            [group, `${record}s`, 'size', 'with deadline', 'overdue', 'next deadline', 'state'],
            found.map(one => [
              one.name,
              formatCount(one.documents),
              formatBytes(one.bytes),
              formatCount(one.withDeadline),
              formatCount(one.overdue),
              formatRelativeOrDash(one.nextDeadlineAt, now),
              one.state,
            ]),
          ),
    );
    return undefined;
  },
};

const create: Command = {
  name: 'collections create',
  summary: 'Create a collection',
  arguments: [{ name: 'NAME' }],
  options: {},
  store: 'creates',
  async run({ args, terminal, open }) {
    const { client } = await open();
    const created = await client.collections.create({ name: args.argument('NAME') });
    await terminal.answer(created, () => [`Created ${created.name}.`]);
    return undefined;
  },
};

const drop: Command = {
  name: 'collections drop',
  summary: 'Drop a collection with its documents and indexes, after a confirmation',
  arguments: [{ name: 'NAME' }],
  options: { yes: { help: 'do not ask for confirmation where the collection contains documents' } },
  store: 'opens',
  async run(session) {
    const { args, terminal, open } = session;
    const collection = args.argument('NAME');
    const { client } = await open();
    const { documents } = await client.collections.get({ collection });
    if (documents > 0) {
      const what = `${collection} would be dropped with its ${formatDocuments(documents)} and its indexes`;
      await confirmLoss(session, what, { collection, documents });
    }
    const answer = await client.collections.drop({ collection });
    const [dropped] = (await client.collections.dropped()).filter(({ name }) => name === collection);
    const { now } = await client.store.info();
    await terminal.answer(answer, () => [
      `Dropped ${collection} and ${formatDocuments(answer.documents)}.`,
      ...(dropped === undefined
        ? []
        : [`It can be restored in the window until ${formatLocalInstant(dropped.keepUntil, now)}.`]),
    ]);
    return undefined;
  },
};

export const collectionCommands: readonly Command[] = [list, create, drop];
