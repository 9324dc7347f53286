import { describe, expect, it } from 'vitest';
import type { ChangeEvent } from '../../../../shared/contract/events.ts';
import {
  gaps,
  moveDifferences,
  purgedBy,
  type ReceivedEvent,
  replayDifferences,
  watchDifferences,
} from './event-log.ts';

type Kind = 'insert' | 'update' | 'delete' | 'expire' | 'end';

function event(id: string, kind: Kind, _id = 'd', collection = 'c'): ReceivedEvent {
  const revision = Number(id.split('.')[0]);
  const place = { revision, at: 100 };
  const position = Number(id.split('.')[1]);
  const made: ChangeEvent =
    kind === 'end'
      ? { ...place, kind }
      : kind === 'expire'
        ? {
            ...place,
            kind,
            position,
            collection,
            _id,
            index: 'exp',
            action: 'delete',
            deadlineAt: 90,
            lagMs: 10,
            pass: 1,
          }
        : { ...place, kind, position, collection, _id };
  return { id, event: made };
}

const LOG = [
  event('1.0', 'insert', 'a'),
  event('1.1', 'insert', 'b'),
  event('1.2', 'end'),
  event('2.0', 'insert', 'x', 'other'),
  event('2.1', 'end'),
  event('3.0', 'update', 'a'),
  event('3.1', 'expire', 'b'),
  event('3.2', 'end'),
];
const without = (id: string) => LOG.filter(one => one.id !== id);

describe('[V3] the events of a watch', () => {
  it('are complete from the start, which may lie within a revision', () => {
    expect(gaps('1', LOG)).toEqual([]);
    expect(gaps('1.1', LOG.slice(1))).toEqual([]);
  });

  it.each(LOG.map(({ id }) => id))('without %s have a gap', id => {
    const after = without(id);
    const isLast = id === LOG.at(-1)?.id;
    expect(gaps('1', isLast ? [...after, event('4.0', 'end')] : after)).not.toEqual([]);
  });

  it('twice or in another order are found', () => {
    expect(gaps('1', [...LOG.slice(0, 2), ...LOG.slice(1)])).not.toEqual([]);
    expect(gaps('1', [...LOG.slice(5), ...LOG.slice(0, 5)])).not.toEqual([]);
  });

  it('of one collection leave out the others with their markers, and nothing else', () => {
    const own = LOG.filter(({ event: { revision } }) => revision !== 2);
    const span = { name: 'w', from: '1', collection: 'c', received: own };
    expect(watchDifferences(LOG, span)).toEqual([]);
    expect(watchDifferences(LOG, { ...span, received: own.slice(0, 3) })).toEqual([]);
    for (const one of own.slice(0, -1))
      expect(watchDifferences(LOG, { ...span, received: own.filter(kept => kept !== one) })).not.toEqual([]);
    expect(watchDifferences(LOG, { ...span, received: LOG })).not.toEqual([]);
    expect(watchDifferences(LOG, { ...span, received: [...own, ...own.slice(-1)] })).not.toEqual([]);
  });
});

describe('[X4] events of purged documents', () => {
  const isPurged = purgedBy([{ _id: 'b', revision: 3 }], 'c');
  const span = (received: readonly ReceivedEvent[]) => ({
    name: 'w',
    from: '1',
    collection: undefined,
    received,
  });

  it('may be gone up to the removal, and no others', () => {
    const left = LOG.filter(({ event }) => event.kind === 'end' || event._id !== 'b');
    expect(left).toHaveLength(LOG.length - 2);
    expect(watchDifferences(LOG, span(left), isPurged)).toEqual([]);
    expect(watchDifferences(LOG, span(LOG), isPurged)).toEqual([]);
    expect(watchDifferences(LOG, span(without('1.0')), isPurged)).not.toEqual([]);
    expect(watchDifferences(LOG, span(without('1.2')), isPurged)).not.toEqual([]);
    const later = [...LOG, event('4.0', 'insert', 'b'), event('4.1', 'end')];
    const lost = later.filter(({ id }) => id !== '4.0');
    expect(watchDifferences(later, span(lost), isPurged)).not.toEqual([]);
  });
});

describe('[A4] a move', () => {
  const removal = event('1.0', 'expire', 'a');
  const moved: ReceivedEvent[] =
    removal.event.kind === 'expire' ? [{ ...removal, event: { ...removal.event, action: 'move' } }] : [];
  const inserted = (id: string) => event(id, 'insert', 'a', 'archive0');

  it('inserts the document into the archive in the same revision, and nothing else does', () => {
    expect(moveDifferences([...moved, inserted('1.1')], 'c')).toEqual([]);
    expect(moveDifferences(moved, 'c')).not.toEqual([]);
    expect(moveDifferences([inserted('1.1')], 'c')).not.toEqual([]);
    expect(moveDifferences([...moved, inserted('2.0')], 'c')).toHaveLength(2);
  });
});

describe('events replayed', () => {
  const nothing = { stored: [], acknowledged: [] };

  it('give the documents of a list at its revision', () => {
    const stored = [
      { revision: 1, ids: ['b', 'a'] },
      { revision: 2, ids: ['a', 'b'] },
      { revision: 3, ids: ['a'] },
    ];
    expect(replayDifferences(LOG, 'c', { ...nothing, stored })).toEqual([]);
    for (const id of ['1.1', '3.1'])
      expect(replayDifferences(without(id), 'c', { ...nothing, stored })).not.toEqual([]);
  });

  it('have every acknowledged change at its revision', () => {
    const acknowledged = [{ revision: 3, ids: ['a'], kind: 'write' as const }];
    expect(replayDifferences(LOG, 'c', { ...nothing, acknowledged })).toEqual([]);
    expect(replayDifferences(without('3.0'), 'c', { ...nothing, acknowledged })).not.toEqual([]);
  });

  it('insert nothing that is there, and remove each document once', () => {
    expect(replayDifferences([...LOG, event('4.0', 'insert', 'a')], 'c', nothing)).not.toEqual([]);
    expect(replayDifferences([...LOG, event('4.0', 'expire', 'b')], 'c', nothing)).not.toEqual([]);
    expect(replayDifferences([...LOG, event('4.0', 'update', 'b')], 'c', nothing)).not.toEqual([]);
  });
});
