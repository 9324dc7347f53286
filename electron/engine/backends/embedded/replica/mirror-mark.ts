import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { SandglassError } from '../../../../../shared/model/errors.ts';
import type { ReplicaProgress } from '../../backend.ts';
import type { Meta } from '../tables/meta.ts';
import type { Writer } from '../write/writer.ts';

const rowPlace = z.object({ collection: z.number(), row: z.number() });
const storedProgress = z.discriminatedUnion('phase', [
  z.object({ phase: z.literal('empty') }),
  z.object({
    phase: z.literal('copying'),
    storeId: z.string(),
    after: z.string(),
    lastRow: rowPlace.nullable(),
    revision: z.number(),
  }),
  z.object({ phase: z.literal('replaying'), storeId: z.string(), wholeAt: z.number() }),
]);
/** The file has `wholeAt` for `consistentFrom`. */
const progress = z.codec(storedProgress, z.custom<ReplicaProgress>(), {
  decode: stored => {
    if (stored.phase !== 'replaying') return stored;
    const { wholeAt, ...rest } = stored;
    return { ...rest, consistentFrom: wholeAt };
  },
  encode: present => {
    if (present.phase !== 'replaying') return present;
    const { consistentFrom, ...rest } = present;
    return { ...rest, wholeAt: consistentFrom };
  },
});
/**
 * Value of `replica` in `meta`: marks a store as a mirror, with its name as a follower, its leader's address, and how
 * far it is copied. `purged`: the leader's latest purge that is erased here, too [X4].
 */
const mark = z.object({ name: z.string(), leader: z.string(), progress, purged: z.number().default(0) });
export type MirrorMark = z.infer<typeof mark>;

/**
 * Marks the store as a mirror of `leader` if it is none yet. Throws BAD_REQUEST for a store that has data of its own.
 */
export function openMirror({ db, meta, revision }: Writer, leader: string): MirrorMark {
  const known = readMark(meta);
  if (known === null && revision > 0) throw notEmpty(db.name);
  const present: MirrorMark = {
    name: known?.name ?? randomUUID(),
    leader,
    progress: known?.progress ?? { phase: 'empty' },
    purged: known?.purged ?? 0,
  };
  writeMark(meta, present);
  return present;
}

export function writeMark(meta: Meta, present: MirrorMark): void {
  meta.set('replica', JSON.stringify(z.encode(mark, present)));
}

/** Throws READ_ONLY for a mirror that is opened as an ordinary store: its changes would never reach the leader. */
export function refuseMirror({ db, meta }: Writer): null {
  const known = readMark(meta);
  if (known === null) return null;
  throw new SandglassError(
    'READ_ONLY',
    `${db.name} mirrors the store at ${known.leader}. Start it with --follow ${known.leader}, or name another file with --store.`,
    { file: db.name, leader: known.leader },
  );
}

function readMark(meta: Meta): MirrorMark | null {
  const text = meta.text('replica');
  return text === null ? null : mark.parse(JSON.parse(text));
}

/** Returns the error for a write to a mirror. */
export function readOnlyMirror(leader: string): SandglassError {
  return new SandglassError(
    'READ_ONLY',
    `This store mirrors the one at ${leader} and accepts no changes. Change the leader; the mirror follows.`,
    { leader },
  );
}

function notEmpty(file: string): SandglassError {
  return new SandglassError(
    'BAD_REQUEST',
    `${file} has documents of its own. To follow a leader, name another file with --store: it is created if missing.`,
    { file },
  );
}
