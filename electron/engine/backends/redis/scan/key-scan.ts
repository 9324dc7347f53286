import { SandglassError } from '../../../../../shared/model/errors.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { CommandConnection } from '../connection/command-connection.ts';
import { integerOf } from '../connection/reply.ts';
import type { KeyReader, ReadKey } from './key-reader.ts';
import type { ScanPace } from './scan-pace.ts';

/** Keys per call of `onKeys`: keys come in random order, and the mirror writes many in the order of their ids at less cost. */
const BATCH = 8_000;
/** A slow scan has a batch as often as this, so that its progress is seen. */
const BATCH_MS = 500;
const PING_EVERY_MS = 50;

export interface KeyScanOptions {
  readonly reader: KeyReader;
  /** Not the reader's connection, so that a PING does not wait for a scan. */
  readonly probe: CommandConnection;
  readonly pace: ScanPace;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called before the first step of each batch. */
  onBegin(): void;
  /** Takes the keys of a batch. */
  onKeys(keys: readonly ReadKey[], progress: { done: number; total: number }): void;
}

/**
 * Reads every key of the database, paced. Rejects with CANCELLED if the signal aborts, or if the connection is lost.
 */
export async function scanKeys(options: KeyScanOptions): Promise<void> {
  const { reader, probe, pace, clock, signal } = options;
  const total = integerOf(await probe.command('DBSIZE'));
  let cursor: string | null = null;
  let done = 0;
  let batch: ReadKey[] = [];
  let batchAt = 0;
  let pingedAt = -Infinity;
  do {
    if (signal.aborted) throw new SandglassError('CANCELLED', 'The scan of the keys was cancelled.');
    if (clock.elapsed() - pingedAt >= PING_EVERY_MS) {
      pingedAt = clock.elapsed();
      await probe.command('PING');
      pace.pinged(clock.elapsed() - pingedAt);
    }
    const sentAt = clock.elapsed();
    if (batch.length === 0) {
      options.onBegin();
      batchAt = sentAt;
    }
    const step = await reader.scan(cursor, pace.count);
    const waitMs = pace.stepped(step.keys.length, clock.elapsed() - sentAt);
    for (const key of step.keys) batch.push(key);
    cursor = step.next;
    const isFull = batch.length >= BATCH || clock.elapsed() - batchAt >= BATCH_MS;
    if (isFull || cursor === null) {
      done += batch.length;
      options.onKeys(batch, { done, total: Math.max(done, total) });
      batch = [];
    }
    if (waitMs > 0 && cursor !== null) await clock.sleep(waitMs, signal);
  } while (cursor !== null);
}
