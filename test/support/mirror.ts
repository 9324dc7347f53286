import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { DeadlineMirror } from '../../electron/engine/deadline-mirror/deadline-mirror.ts';
import type { MirroredKey } from '../../electron/engine/deadline-mirror/mirrored-key.ts';
import { createLogger } from '../../electron/engine/platform/logger.ts';
import { type ManualClock, NOON } from './engine.ts';
import { createManualClock } from './manual-clock.ts';
import { temporaryFolder } from './temporary.ts';

/** A mirror in a file of the running test, on a clock that only the test moves. */
export interface TestMirror {
  readonly file: string;
  readonly clock: ManualClock;
  /** Lines logged as warnings or errors. */
  readonly complaints: string[];
  mirror: DeadlineMirror;
  /** Closes the mirror and opens its file again. */
  reopen(): DeadlineMirror;
}

export function openTestMirror(
  file = join(temporaryFolder(), 'home-connections.d', 'c1.sqlite'),
): TestMirror {
  const clock = createManualClock(NOON);
  const complaints: string[] = [];
  const log = createLogger(
    'warn',
    () => clock.now(),
    line => complaints.push(line),
  );
  const open = () => DeadlineMirror.open({ file, clock, log });
  const opened: TestMirror = {
    file,
    clock,
    complaints,
    mirror: open(),
    reopen() {
      opened.mirror.close();
      opened.mirror = open();
      return opened.mirror;
    },
  };
  onTestFinished(() => opened.mirror.close());
  return opened;
}

/** A key of the collection that its id names before the colon. */
export function mirroredKey(
  id: string,
  deadlineAt: number | null,
  others: Partial<MirroredKey> = {},
): MirroredKey {
  return { id, collection: id.split(':')[0] ?? '', deadlineAt, type: 'string', bytes: null, ...others };
}
