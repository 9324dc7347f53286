import { resolve } from 'node:path';
import { type ConnectionRecord, ENVIRONMENTS } from '../../../shared/contract/connections.ts';
import { EXIT } from '../output/exit-codes.ts';
import { table } from '../output/terminal.ts';
import type { Command } from '../session/command.ts';
import type { Given } from '../syntax/parsed-arguments.ts';

const NOTES = [
  'It asks the Sandglass that has the store open, which holds the others beside it. With --url, FILE is a file name in its folder of stores (--stores-dir).',
];

const list: Command = {
  name: 'connection list',
  summary: 'List the stores that are open beside this one, or known',
  arguments: [],
  options: {},
  notes: NOTES,
  store: 'opens',
  async run({ terminal, open }) {
    const { client } = await open({ elsewhere: true });
    const found = await client.connections.list();
    await terminal.answer(found, () =>
      table(
        ['connection', 'name', 'state', 'environment', 'file'],
        found.map(one => [
          one.id,
          one.name,
          stateInWords(one),
          one.readOnly ? `${one.environment}, read-only` : one.environment,
          one.target.file,
        ]),
      ),
    );
    return undefined;
  },
};

const add: Command = {
  name: 'connection add',
  summary: 'Open a store beside this one; a file that is not there is made [P2]',
  arguments: [{ name: 'FILE' }, { name: 'NAME' }],
  options: {
    environment: {
      value: ENVIRONMENTS.join('|'),
      help: 'what a mistake there costs; development unless said',
    },
    'read-only': { help: 'nothing is written to it, and nothing expires by this Sandglass’ hand' },
  },
  notes: NOTES,
  store: 'opens',
  async run({ given, terminal, open }) {
    const environment = given.oneOf('environment', ENVIRONMENTS);
    const { client } = await open({ elsewhere: true });
    const added = await client.connections.add({
      name: given.argument('NAME'),
      target: targetOf(given),
      readOnly: given.has('read-only'),
      ...(environment === undefined ? {} : { environment }),
    });
    await terminal.answer(added, () => [`${added.id}: ${added.name} is ${stateInWords(added)}.`]);
    return undefined;
  },
};

const test: Command = {
  name: 'connection test',
  summary: 'Look whether a store can be opened, changing nothing',
  arguments: [{ name: 'FILE' }],
  options: {},
  notes: NOTES,
  store: 'opens',
  async run({ given, terminal, open }) {
    const { client } = await open({ elsewhere: true });
    const found = await client.connections.test(targetOf(given));
    await terminal.answer(found, () => {
      if (found.is === 'refused') return [found.message];
      if (found.is === 'new') return ['There is no such file yet; adding it makes an empty store.'];
      const holder = found.heldBy === null ? '' : ` It is open in ${found.heldBy}.`;
      return [`A store of ${found.documents} documents in ${found.collections} collections.${holder}`];
    });
    return found.is === 'refused' ? EXIT.failed : undefined;
  },
};

const remove: Command = {
  name: 'connection remove',
  summary: 'Close a store and forget it; its file stays',
  arguments: [{ name: 'CONNECTION' }],
  options: {},
  notes: NOTES,
  store: 'opens',
  async run({ given, terminal, open }) {
    const id = given.argument('CONNECTION');
    const { client } = await open({ elsewhere: true });
    const answer = await client.connections.remove({ id });
    await terminal.answer(answer, () => [`Removed ${id}; its file stays.`]);
    return undefined;
  },
};

/** A path of this machine is meant from the working folder; a served host takes a file name [P1]. */
function targetOf(given: Given): { kind: 'file'; file: string } {
  const file = given.argument('FILE');
  return { kind: 'file', file: given.has('url') ? file : resolve(file) };
}

function stateInWords({ state }: ConnectionRecord): string {
  return state.is === 'failed' ? `not open: ${state.message}` : state.is;
}

export const connectionCommands: readonly Command[] = [list, add, test, remove];
