import { expect, it } from 'vitest';
import { legendEntries, waitingIndexes } from '../../../../../renderer/features/timeline/model/legend.ts';
import type { Hold } from '../../../../../shared/contract/reaper.ts';

const series = (id: string, overdue = 0) => ({ id, label: id, pausedSince: null, overdue });
const told = (explicitDue: number, overdue = 0) =>
  legendEntries({
    series: [series('ts_90d'), series('explicit', overdue)],
    buckets: [{ fromAt: 0, expired: [0, 0], due: [0, explicitDue] }],
  }).map(({ series: { id }, position }) => `${id} ${position}`);

it('the legend lists every index, and explicit expirations if there are any; colours do not change', () => {
  expect(told(0)).toEqual(['ts_90d 0']);
  expect(told(1)).toEqual(['ts_90d 0', 'explicit 1']);
  expect(told(0, 3)).toEqual(['ts_90d 0', 'explicit 1']);
  expect(legendEntries({ series: [series('explicit')], buckets: [] })).toEqual([]);
});

it('[R8] the legend marks the indexes that await confirmation', () => {
  const hold: Hold = {
    id: 'h',
    collection: 'logs',
    cause: 'definition',
    index: 'ts_90d',
    since: 0,
    by: 'maya',
    due: 1,
    documents: 2,
    durationMs: null,
    sentence: '',
  };
  const others: Hold[] = [
    { ...hold, collection: 'carts' },
    { ...hold, index: null, cause: 'import' },
    { ...hold, collection: null, index: null, cause: 'clock forward' },
  ];
  expect(waitingIndexes([hold, ...others], 'logs')).toEqual(['ts_90d']);
});
