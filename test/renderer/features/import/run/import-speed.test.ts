import { expect, it } from 'vitest';
import { formatSpeed, importSpeed } from '../../../../../renderer/features/import/run/import-speed.ts';
import type { Job } from '../../../../../shared/contract/jobs.ts';

const MIB = 1024 * 1024;
const job: Job = {
  id: '1',
  kind: 'import',
  collection: 'c',
  subject: 'logs.ndjson',
  state: 'running',
  unit: 'bytes',
  done: 10 * MIB,
  total: 100 * MIB,
  startedAt: 0,
  endedAt: null,
  error: null,
  inserted: 40_000,
  updated: 9_600,
};

it('a running import shows its rate and the time left, once it has run for a second', () => {
  expect(importSpeed({ bytesRead: 10 * MIB, job, elapsedMs: 999 }, 100 * MIB)).toBeNull();
  expect(importSpeed({ bytesRead: 0, job, elapsedMs: 5_000 }, 100 * MIB)).toBeNull();
  const speed = importSpeed({ bytesRead: 10 * MIB, job, elapsedMs: 4_000 }, 100 * MIB);
  expect(speed).toEqual({ documentsPerSecond: 12_400, leftMs: 36_000 });
  expect(speed && formatSpeed(speed)).toBe('12,400 per s, about 36 s left');
  expect(formatSpeed({ documentsPerSecond: 12_400.4, leftMs: 0 })).toBe('12,400 per s');
});
