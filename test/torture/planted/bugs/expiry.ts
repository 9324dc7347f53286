import type { PlantedBug } from '../planted-bug.ts';

const EXPIRY = 'electron/engine/expiry';
const EMBEDDED = 'electron/engine/backends/embedded';

/** Removals, their limits, and copies of removed documents. */
export const EXPIRY_BUGS: readonly PlantedBug[] = [
  {
    name: 'a read that shows a document a second past its deadline',
    file: `${EMBEDDED}/read/read-documents.ts`,
    before: 'if (!includeExpired && record.hidden) throw noSuchDocument(name, id);',
    after:
      'if (!includeExpired && record.hidden && now - (record.deadlineAt ?? 0) > 1_000) throw noSuchDocument(name, id);',
    parts: ['simulation', 'histories'],
  },
  {
    name: 'a read that shows a document 5 ms past its deadline',
    file: `${EMBEDDED}/read/read-documents.ts`,
    before: 'if (!includeExpired && record.hidden) throw noSuchDocument(name, id);',
    after:
      'if (!includeExpired && record.hidden && now - (record.deadlineAt ?? 0) > 5) throw noSuchDocument(name, id);',
    parts: ['histories', 'simulation'],
  },
  {
    name: 'a pause that is ignored',
    file: `${EMBEDDED}/expiry/reap-sources.ts`,
    before: 'isPaused: wider !== null || index.isPaused,',
    after: 'isPaused: wider !== null,',
    parts: ['simulation'],
  },
  {
    name: 'a hold that is ignored',
    file: `${EMBEDDED}/expiry/reap-sources.ts`,
    before: 'const held = isHeld(catalog, collection.name) || isChanging(collection.name);',
    after: 'const held = isChanging(collection.name) && isHeld(catalog, collection.name);',
    parts: ['simulation'],
  },
  {
    name: 'a circuit breaker that never trips',
    file: `${EXPIRY}/breaker.ts`,
    before: 'return due > breakerDocuments && due > breakerShare * documents;',
    after: 'return due > breakerDocuments && due > (breakerShare + 1) * documents;',
    parts: ['simulation'],
  },
  {
    name: 'a rate that is ignored',
    file: `${EXPIRY}/token-bucket.ts`,
    before: 'this.#tokens -= documents;',
    after: 'this.#tokens -= documents / 20;',
    parts: ['simulation'],
  },
  {
    name: 'a cap of a pass that is ignored',
    file: `${EXPIRY}/pass-caps.ts`,
    before: 'if (!isOver && leftOf(caps.mostPerPass, processed) > 0) return;',
    after: 'if (!isOver) return;',
    parts: ['simulation'],
  },
  {
    name: 'a tick without the documents that were due at the tick before',
    file: `${EXPIRY}/last-ticks.ts`,
    before: "isDueAt(deadline(), at) ? 'open' : 'closed' };",
    after: "isDueAt(deadline(), at) && !isDueAt(deadline(), tick.at) ? 'open' : 'closed' };",
    parts: ['simulation'],
  },
  {
    name: 'a jump of the clock that is trusted',
    file: 'electron/engine/platform/guarded-clock.ts',
    before: 'if (Math.abs(jumpMs) <= this.#options.boundMs()) return null;',
    after: 'if (Math.abs(jumpMs) >= 0) return null;',
    parts: ['simulation'],
  },
  {
    name: 'a step back of the clock that is not followed',
    file: 'electron/engine/platform/guarded-clock.ts',
    before: 'this.#follow(wall);\n      return wall;',
    after: 'this.#follow(Math.max(wall, trusted));\n      return Math.max(wall, trusted);',
    parts: ['histories', 'simulation'],
  },
  {
    name: 'a round that acts on what was due before the clock was set back',
    file: `${EXPIRY}/rounds.ts`,
    before: 'const now = clock.now();',
    after: 'const now = roundAt;',
    parts: ['histories'],
  },
  {
    name: 'a cap that counts from the begin of its round',
    file: `${EXPIRY}/rounds.ts`,
    before: 'this.#markCapped(clock.now());',
    after: 'this.#markCapped(cutoff);',
    parts: ['simulation'],
  },
  {
    name: 'a restart that forgets the trusted time',
    file: 'electron/engine/monitoring/clock-watch.ts',
    before: 'if (last !== null) clock.resume(last.at, last.clockOffsetMs);',
    after: '',
    parts: ['simulation'],
  },
  {
    name: 'a quarantine that is forgotten',
    file: `${EMBEDDED}/write/index-entries.ts`,
    before: 'this.#quarantine.add(this.#collection, row, given);',
    after: 'void given;',
    parts: ['simulation'],
  },
  {
    name: 'a restored document without its deadline',
    file: `${EMBEDDED}/expiry/restore-expired.ts`,
    before: 'this.#writes.setExplicit(transaction, name, document.id, expiration);',
    after: 'void expiration;',
    parts: ['simulation'],
  },
  {
    name: 'a purge that leaves the copies',
    file: `${EMBEDDED}/replica/embedded-purges.ts`,
    before: 'this.#writer.maintain(() => this.#retained.release(ids.map(Number)));',
    after: 'void ids;',
    parts: ['simulation', 'kills'],
  },
  {
    name: 'a released copy that is still counted',
    file: `${EMBEDDED}/tables/removals/retained-copies.ts`,
    before: 'if (bytes !== undefined) this.#addBytes(-bytes);',
    after: 'void bytes;',
    parts: ['simulation', 'kills'],
  },
  {
    name: 'a sweep that leaves the keys of removed documents',
    file: `${EMBEDDED}/expiry/row-sweeper.ts`,
    before: 'for (const [id, row] of keys) this.#keys.delete.run(id, row);',
    after: 'for (const [id, row] of keys.slice(1)) this.#keys.delete.run(id, row);',
    parts: ['simulation', 'kills'],
  },
  {
    name: 'an index build that leaves out a document of each step',
    file: `${EMBEDDED}/definitions/backfill.ts`,
    before: 'if (found !== null) gathered?.add(found.table, found.entry);',
    after: 'if (found !== null && rows > 1) gathered?.add(found.table, found.entry);',
    parts: ['simulation', 'io-faults'],
  },
];
