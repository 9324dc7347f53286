import { describe, expect, it, vi } from 'vitest';
import { DocumentPager } from '../../../../../renderer/features/documents/list/document-pager.ts';
import type { PageSource } from '../../../../../renderer/features/documents/list/page-source.ts';
import { PAGE_ROWS } from '../../../../../renderer/features/documents/list/pager-snapshot.ts';
import type { DocumentRecord } from '../../../../../shared/contract/documents.ts';
import { row } from '../build.ts';

const idOf = (i: number) => `d${String(i).padStart(6, '0')}`;

/** A collection in memory, read by key as the engine reads it. */
class FakeSource implements PageSource {
  ids: string[];
  calls = 0;
  largestRead = 0;
  canLocate = false;
  constructor(count: number) {
    this.ids = Array.from({ length: count }, (_, i) => idOf(i));
  }
  async list(after: string | null, limit: number) {
    this.calls += 1;
    this.largestRead = Math.max(this.largestRead, limit);
    const start = after === null ? 0 : this.ids.findIndex(id => id > after);
    const ids = start === -1 ? [] : this.ids.slice(start, start + limit);
    const last = ids.at(-1);
    const isEnd = last === undefined || last === this.ids.at(-1);
    return { documents: ids.map(id => row(id)), next: isEnd ? null : last };
  }
  async locate(fraction: number) {
    return this.canLocate ? (this.ids[Math.floor(this.ids.length * fraction)] ?? null) : null;
  }
  async before(follower: DocumentRecord, limit: number) {
    const place = this.ids.findIndex(id => id >= follower._id);
    return this.ids.slice(Math.max(0, place - limit), place).map(id => row(id));
  }
}

async function settled(pager: DocumentPager): Promise<void> {
  for (let i = 0; i < 5_000; i++) {
    await new Promise(resolve => setImmediate(resolve));
    if (pager.snapshot.get().status !== 'reading') return;
  }
  throw new Error('still reading');
}

async function lookAt(pager: DocumentPager, from: number): Promise<string[]> {
  pager.setVisible(from, from + 30);
  await new Promise(resolve => setImmediate(resolve));
  await settled(pager);
  return Array.from({ length: 30 }, (_, i) => pager.snapshot.get().rowAt(from + i)?._id ?? '');
}

const ids = (from: number, count = 30) => Array.from({ length: count }, (_, i) => idOf(from + i));

describe('the pager', () => {
  it('shows the first rows, and the count of a short list', async () => {
    const pager = new DocumentPager(new FakeSource(50));
    expect(await lookAt(pager, 0)).toEqual(ids(0));
    expect(pager.snapshot.get()).toMatchObject({ slots: 50, isCounted: true, status: 'ready' });
  });

  it('reports an empty list as counted', async () => {
    const pager = new DocumentPager(new FakeSource(0));
    await lookAt(pager, 0);
    expect(pager.snapshot.get()).toMatchObject({ slots: 0, isCounted: true, status: 'ready' });
  });

  it('scrolls down and up exactly, with a bounded number of rows in memory', async () => {
    const pager = new DocumentPager(new FakeSource(20_000));
    for (let at = 0; at < 15_000; at += 150) expect(await lookAt(pager, at)).toEqual(ids(at));
    expect(pager.snapshot.get().loaded().length).toBeLessThanOrEqual(13 * PAGE_ROWS);
    for (let at = 15_000; at >= 0; at -= 150) expect(await lookAt(pager, at)).toEqual(ids(at));
  });

  it('reads page by page to a far slot without an estimate, and returns without reading again', async () => {
    const source = new FakeSource(50_000);
    const pager = new DocumentPager(source);
    pager.expect(50_000);
    await lookAt(pager, 0);
    expect(await lookAt(pager, 40_000)).toEqual(ids(40_000));
    expect(source.largestRead).toBe(1000);
    await lookAt(pager, 0);
    const before = source.calls;
    expect(await lookAt(pager, 40_000)).toEqual(ids(40_000));
    expect(source.calls - before).toBeLessThan(5);
  });

  it('jumps by an estimate, and is exact from there back to the first row', async () => {
    const source = new FakeSource(50_000);
    source.canLocate = true;
    const pager = new DocumentPager(source);
    pager.expect(50_000);
    await lookAt(pager, 0);
    const before = source.calls;
    const landed = await lookAt(pager, 30_000);
    expect(source.calls - before).toBeLessThan(4);
    const first = source.ids.indexOf(landed[0] ?? '');
    expect(Math.abs(first - 30_000)).toBeLessThan(300);
    expect(landed).toEqual(ids(first));
    expect(await lookAt(pager, 29_900)).toEqual(ids(first - 100));
    expect(await lookAt(pager, 29_700)).toEqual(ids(first - 300));
  });

  it('corrects slots when a jump ends nearer to the start than estimated', async () => {
    const source = new FakeSource(30_000);
    // The estimate of a tenth of the way is exact.
    source.locate = async () => idOf(349);
    const pager = new DocumentPager(source);
    pager.expect(30_000);
    await lookAt(pager, 0);
    await lookAt(pager, 20_000);
    pager.setVisible(19_700, 19_730);
    await new Promise(resolve => setTimeout(resolve, 20));
    expect(pager.snapshot.get().rowAt(0)?._id).toBe(idOf(0));
    expect(pager.snapshot.get().rowAt(350)?._id).toBe(idOf(350));
  });

  it('follows removals and insertions without a gap or a duplicate', async () => {
    const source = new FakeSource(2_000);
    const pager = new DocumentPager(source);
    await lookAt(pager, 380);
    source.ids = source.ids.filter(id => id < idOf(100) || id >= idOf(150));
    source.ids.splice(60, 0, `${idOf(59)}a`);
    await lookAt(pager, 100);
    pager.refresh();
    await lookAt(pager, 100);
    await lookAt(pager, 380);
    pager.refresh();
    expect(await lookAt(pager, 380)).toEqual(source.ids.slice(380, 410));
    const loaded = pager.snapshot
      .get()
      .loaded()
      .map(({ _id }) => _id);
    expect(loaded).toEqual(source.ids.slice(0, loaded.length));
  });

  it('keeps rows in their slots while held, also those that are being read again, and follows afterwards', async () => {
    const source = new FakeSource(2_000);
    const pager = new DocumentPager(source);
    await lookAt(pager, 0);
    source.ids = source.ids.slice(10);
    pager.refresh();
    pager.hold(60);
    expect(await lookAt(pager, 0)).toEqual(ids(0));
    pager.refresh();
    expect(await lookAt(pager, 0)).toEqual(ids(0));
    // Rows that are not in memory are read meanwhile.
    expect(await lookAt(pager, 600)).toEqual(ids(600));
    pager.setVisible(0, 30);
    await vi.waitFor(() => expect(pager.snapshot.get().rowAt(0)?._id).toBe(idOf(10)));
  });

  it('keeps the objects of unchanged rows, so that they are not rendered again', async () => {
    const pager = new DocumentPager(new FakeSource(100));
    await lookAt(pager, 0);
    const before = pager.snapshot.get().rowAt(7);
    pager.refresh();
    await lookAt(pager, 0);
    expect(pager.snapshot.get().rowAt(7)).toBe(before);
  });

  it('continues a search that stopped at its time limit, until it is stopped', async () => {
    const source = new FakeSource(1_000);
    const whole = source.list.bind(source);
    let reads = 0;
    source.list = async after => {
      reads += 1;
      return whole(after, 1);
    };
    const pager = new DocumentPager(source);
    pager.setVisible(0, 30);
    await new Promise(resolve => setTimeout(resolve, 5));
    pager.stop();
    await new Promise(resolve => setTimeout(resolve, 5));
    const stopped = reads;
    expect(pager.snapshot.get().status).toBe('stopped');
    await new Promise(resolve => setTimeout(resolve, 5));
    expect(reads).toBe(stopped);
    pager.resume();
    await settled(pager);
    expect(pager.snapshot.get().rowAt(199)?._id).toBe(idOf(199));
  });

  it('reports a failure, and tries again when rows are visible', async () => {
    const source = new FakeSource(100);
    const list = source.list.bind(source);
    source.list = async () => {
      throw new Error('gone');
    };
    const pager = new DocumentPager(source);
    await lookAt(pager, 0);
    expect(pager.snapshot.get()).toMatchObject({ status: 'failed' });
    source.list = list;
    expect(await lookAt(pager, 0)).toEqual(ids(0));
  });

  it('calls no listener while it scrolls over rows in memory', async () => {
    const pager = new DocumentPager(new FakeSource(20_000));
    await lookAt(pager, 400);
    let told = 0;
    pager.snapshot.subscribe(() => {
      told += 1;
    });
    const before = pager.snapshot.get();
    for (let at = 400; at < 440; at += 2) {
      pager.setVisible(at, at + 30);
      await new Promise(resolve => setImmediate(resolve));
    }
    expect(told).toBe(0);
    expect(pager.snapshot.get()).toBe(before);
  });

  it('shows ten million rows within a browser’s maximum height, and jumps to the released thumb', async () => {
    const TEN_MILLION = 10_000_000;
    const source = new CountedSource(TEN_MILLION);
    const pager = new DocumentPager(source);
    pager.expect(TEN_MILLION);
    await lookAt(pager, 0);
    const { slots } = pager.snapshot.get();
    expect(slots * 28).toBeLessThan(33_000_000);
    for (const share of [0.5, 0.9, 0.1]) {
      const from = Math.floor(slots * share);
      const [first = ''] = await lookAt(pager, from);
      expect(Math.abs(Number(first) / TEN_MILLION - share)).toBeLessThan(0.001);
      // Reads row by row from there on.
      const next = await lookAt(pager, from + 500);
      expect(Number(next[0])).toBe(Number(first) + 500);
    }
    expect(source.calls).toBeLessThan(40);
  });
});

/** A list of a given number of rows, computed from their numbers instead of stored. */
class CountedSource implements PageSource {
  readonly #count: number;
  calls = 0;
  constructor(count: number) {
    this.#count = count;
  }
  async list(after: string | null, limit: number) {
    this.calls += 1;
    const from = after === null ? 0 : Number(after) + 1;
    const to = Math.min(this.#count, from + limit);
    return { documents: this.#rows(from, to), next: to === this.#count ? null : String(to - 1) };
  }
  async locate(fraction: number) {
    this.calls += 1;
    return String(Math.floor(this.#count * fraction));
  }
  async before({ _id }: DocumentRecord, limit: number) {
    this.calls += 1;
    return this.#rows(Math.max(0, Number(_id) - limit), Number(_id));
  }
  #rows(from: number, to: number): DocumentRecord[] {
    return Array.from({ length: to - from }, (_, i) => row(String(from + i)));
  }
}
