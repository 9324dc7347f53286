import type { PlantedBug } from '../planted-bug.ts';

const EMBEDDED = 'electron/engine/backends/embedded';

/** Watches, compaction of the change log, and followers. */
export const HISTORY_BUGS: readonly PlantedBug[] = [
  {
    name: 'a watch that repeats its last event',
    file: 'shared/model/change-log/log-position.ts',
    before: 'return { revision, position: position + 1 };',
    after: 'return { revision, position };',
    parts: ['histories'],
  },
  {
    name: 'a watch that skips an event',
    file: 'shared/model/change-log/log-position.ts',
    before: 'return { revision, position: position + 1 };',
    after: 'return { revision, position: position + 2 };',
    parts: ['histories'],
  },
  {
    name: 'a page of the log without its last event',
    file: `${EMBEDDED}/read/read-changes.ts`,
    before: 'if (end < length) return end;',
    after: 'if (end < length) return end + 1;',
    parts: ['histories'],
  },
  {
    name: 'a compaction of the log that removes one revision too many',
    file: `${EMBEDDED}/replica/log-compaction.ts`,
    before: 'tables.log.deleteThrough(revision);',
    after: 'tables.log.deleteThrough(revision + 1);',
    parts: ['simulation', 'histories'],
  },
  {
    name: 'a compaction that does not note the oldest revision',
    file: `${EMBEDDED}/replica/log-compaction.ts`,
    before: "if (revision >= oldest) meta.set('oldest', revision + 1);",
    after: "if (revision >= oldest) meta.set('oldest', revision);",
    parts: ['simulation', 'histories'],
  },
  {
    name: 'a follower that skips a page of the copy',
    file: 'electron/engine/replication/follower.ts',
    before: '      after = page.next;\n',
    after: `      after = page.next;
      const skipped = after;
      if (skipped !== null) after = (await this.#call(inner => leader.snapshot(replica.name, skipped, inner))).next;
`,
    parts: ['followers'],
  },
  {
    name: 'a follower that skips removals',
    file: `${EMBEDDED}/replica/replayed-expiries.ts`,
    before: 'of leaving.values())',
    after: 'of [...leaving.values()].slice(1))',
    parts: ['followers'],
  },
  {
    name: 'a follower that judges deadlines by the time of its last change',
    file: 'electron/engine/replication/follower.ts',
    before: 'time.moveTo(state.leaderNow, state.revision);',
    after: 'void state.leaderNow;',
    parts: ['followers'],
  },
  {
    name: 'a leader that drops images which a follower still needs',
    file: `${EMBEDDED}/replica/embedded-followers.ts`,
    before:
      'from !== null && row.revision >= from && row.revision > had && newest - row.endOffset < logBytes;',
    after:
      'from !== null && row.revision >= from && row.revision > had + 1 && newest - row.endOffset < logBytes;',
    parts: ['followers'],
    notCaught: 'a follower that misses a revision copies the store again, which is correct and only slow',
  },
];
