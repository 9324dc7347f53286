import type { PlantedBug } from '../planted-bug.ts';

const EMBEDDED = 'electron/engine/backends/embedded';

/** Writes, their index entries, counts and events. */
export const WRITING_BUGS: readonly PlantedBug[] = [
  {
    name: 'an acknowledgement before the commit',
    file: `${EMBEDDED}/write/writer.ts`,
    before: `      imagesAreDurable = this.images.append(transaction, this);
      this.#sql.commit.run();`,
    after: `      imagesAreDurable = this.images.append(transaction, this);
      for (const listener of this.#listeners) this.#notify(() => listener(transaction.commit()));
      this.#sql.commit.run();`,
    parts: ['power-cuts', 'simulation'],
  },
  {
    name: 'an entry that a replaced document leaves in an index table',
    file: `${EMBEDDED}/write/collection-writer.ts`,
    before: `    this.#removeEntries(stored, before, readBody(stored.body));
    this.#rows.replace.run(now, document.body, null, stored.row);`,
    after: '    this.#rows.replace.run(now, document.body, null, stored.row);',
    parts: ['simulation'],
  },
  {
    name: 'an entry that a removed document leaves in its other index',
    file: `${EMBEDDED}/write/collection-writer.ts`,
    before: 'this.#removeEntries(stored, bytes, readBody(stored.body), except);',
    after: 'void except;',
    parts: ['simulation'],
  },
  {
    name: 'a count of bytes that a replacement does not decrease',
    file: `${EMBEDDED}/write/collection-writer.ts`,
    before: `    this.entries.add(stored.row, document.bytes, document.value, now, stored.explicitAt);
    this.#tally(0, document.bytes - before);`,
    after: `    this.entries.add(stored.row, document.bytes, document.value, now, stored.explicitAt);
    this.#tally(0, document.bytes);
    void before;`,
    parts: ['simulation'],
  },
  {
    name: 'an event of a deletion twice',
    file: `${EMBEDDED}/write/document-writes.ts`,
    before: "    transaction.note({ collection: name, kind: 'delete', id });",
    after: `    transaction.note({ collection: name, kind: 'delete', id });
    transaction.note({ collection: name, kind: 'delete', id });`,
    parts: ['simulation'],
  },
  {
    name: 'an event of a write left out',
    file: `${EMBEDDED}/write/document-writes.ts`,
    before: "transaction.note({ collection: name, kind: created ? 'insert' : 'update', id: document.id });",
    after:
      "if (created || document.bytes % 2 === 0) transaction.note({ collection: name, kind: created ? 'insert' : 'update', id: document.id });\n    else transaction.touch(name, holder.row);",
    parts: ['simulation', 'histories'],
  },
  {
    name: 'a write under the _id of an expired document that keeps its expiration',
    file: `${EMBEDDED}/write/document-writes.ts`,
    before: 'const holder = this.#actions.visible(transaction, collection, document.id);',
    after: 'const holder = this.#actions.live(collection, document.id);',
    parts: ['simulation', 'histories'],
  },
  {
    name: 'documents whose _id is not validated',
    file: `${EMBEDDED}/write/incoming-document.ts`,
    before: "if (problem !== null || typeof id !== 'string') {",
    after: "if (problem !== null && typeof id === 'string') {",
    parts: ['hostile-input'],
  },
];
