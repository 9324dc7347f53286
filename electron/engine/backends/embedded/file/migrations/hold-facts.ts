import type { Database } from 'better-sqlite3';
import { parseDuration } from '../../../../../../shared/model/duration.ts';

/** Stores the facts of a hold instead of a sentence; shared/model/hold.ts formats the sentence. */
export function holdFacts(db: Database): void {
  // How long the store was closed, or how far the clock jumped; NULL: neither, or not known.
  db.exec('ALTER TABLE holds ADD COLUMN duration_ms INTEGER');
  const holds = db.prepare<[], { id: number; sentence: string }>('SELECT id, sentence FROM holds').all();
  const note = db.prepare<[number, number]>('UPDATE holds SET duration_ms = ? WHERE id = ?');
  for (const { id, sentence } of holds) {
    const [, written] =
      /^The (?:store was closed for|clock jumped (?:ahead|back) by) ([^,.]+)/.exec(sentence) ?? [];
    const read = written === undefined ? null : parseDuration(written);
    if (read !== null && 'seconds' in read) note.run(read.seconds * 1_000, id);
  }
  db.exec('ALTER TABLE holds DROP COLUMN sentence');
}
