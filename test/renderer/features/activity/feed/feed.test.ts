import { afterEach, describe, expect, it, vi } from 'vitest';
import { Feed, type FeedPage } from '../../../../../renderer/features/activity/feed/feed.ts';
import { end, expiry, pageOf, write } from '../build.ts';

type Read = (from: string) => FeedPage | Promise<FeedPage>;

let feed: Feed | undefined;
afterEach(() => feed?.stop());

const never = () => new Promise<FeedPage>(() => {});

function feedOver(read: Read, revision = 0): Feed {
  feed = new Feed({
    read: async from => read(from),
    oldestKept: error => (error instanceof RangeError ? Number(error.message) : null),
    problemIn: error => String(error),
    revision: () => revision,
    now: () => 1e9,
    matches: () => true,
  });
  feed.start();
  return feed;
}

const one = (revision: number) => pageOf([expiry(revision, 0), end(revision)], revision + 1);

describe('the feed', () => {
  it('starts with the latest changes, and continues after them', async () => {
    const asked: string[] = [];
    const running = feedOver(from => {
      asked.push(from);
      return from === '1' ? one(1) : never();
    }, 1);
    await vi.waitFor(() => expect(running.snapshot.get().entries).toHaveLength(1));
    await vi.waitFor(() => expect(asked).toEqual(['1', '2.0']));
  });

  it('counts new rows while held, and shows them when released', async () => {
    let tell: (page: FeedPage) => void = () => {};
    const running = feedOver(() => new Promise(resolve => (tell = resolve)));
    await vi.waitFor(() => expect(running.snapshot.get().isFilled).toBe(true));
    running.hold(true);
    tell(pageOf([write(1, 0), write(1, 1), end(1)], 2));
    await vi.waitFor(() => expect(running.snapshot.get().waiting).toBe(2));
    expect(running.snapshot.get().entries).toEqual([]);
    running.hold(false);
    expect(running.snapshot.get()).toMatchObject({ waiting: 0, entries: [{ count: 2 }] });
  });

  it('skips to now when it falls behind, and reports the skipped revisions', async () => {
    const full = Array.from({ length: 500 }, (_, position) => expiry(1, position));
    const running = feedOver(from => (from === '900001' ? never() : pageOf(full, 1, 900_000)));
    await vi.waitFor(
      () =>
        expect(running.snapshot.get().entries).toEqual([{ key: 'gap 1', kind: 'gap', from: 1, to: 900_000 }]),
      5_000,
    );
  });

  it('starts with fewer revisions if the log is too long, without a gap', async () => {
    const bulk = Array.from({ length: 500 }, (_, position) => write(1, position));
    const running = feedOver(from => {
      const revision = Number(from.split('.')[0]);
      if (revision > 40) return never();
      return revision < 21 ? pageOf(bulk, revision, 40) : one(revision);
    }, 40);
    // Revisions 21 to 40, which are read a page each, are more pages than are read at first.
    await vi.waitFor(() => expect(running.snapshot.get().entries).toHaveLength(20));
    expect(running.snapshot.get().entries.map(({ kind }) => kind)).not.toContain('gap');
  });

  it('continues from the oldest revision that the log keeps', async () => {
    const running = feedOver(from => {
      if (from === '1') throw new RangeError('50');
      return from === '50' ? one(50) : never();
    }, 10);
    await vi.waitFor(() => expect(running.snapshot.get().entries).toMatchObject([{ revision: 50 }]));
  });
});
