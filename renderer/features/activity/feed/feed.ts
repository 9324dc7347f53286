import type { ChangeEvent } from '../../../../shared/contract/events.ts';
import { createStore, type ReadableStore } from '../../../state/store.ts';
import { type Change, type FeedEntry, FeedLog } from './feed-log.ts';
import { RateMeter } from './rate-meter.ts';

export interface FeedPage {
  events: readonly { event: ChangeEvent }[];
  /** Where to go on, `revision.position`. */
  next: string;
  /** Of the store. */
  revision: number;
}

export interface FeedSource {
  /** Rejects when it cannot; `oldestKept` says whether that was because the log begins later. */
  read: (from: string, limit: number, waitMs: number, signal: AbortSignal) => Promise<FeedPage>;
  oldestKept: (error: unknown) => number | null;
  /** In words; null: the connection is away, which is said elsewhere. */
  problemIn: (error: unknown) => string | null;
  revision: () => number;
  /** By the engine's clock. */
  now: () => number;
  matches: (change: Change) => boolean;
}

export interface FeedSnapshot {
  /** Newest first. */
  entries: readonly FeedEntry[];
  /** Changes since the rows were held still. */
  waiting: number;
  /** The last that happened before one looked was read. */
  isFilled: boolean;
  problem: string | null;
}

const PAGE = 500;
const WAIT_MS = 25_000;
/** How far back it begins: as few revisions as fill a window, so that a store of many is not read from its start. */
const BACK = [20, 60, 200, 600, 2_000] as const;
const ENOUGH_ENTRIES = 60;
const FILL_PAGES = 12;
/** So many full pages in a row of what is long past, and it goes on from now instead of running after it. */
const BEHIND_PAGES = 20;
const BREATH_MS = 25;
const PUBLISH_MS = 250;
/** More new rows at once than anybody reads: then they come once a second, and the window stays free. */
const BURST_ROWS = 15;
const BURST_MS = 1_000;
const RETRY_MS = 2_000;
const RECENT_MS = 5_000;

/**
 * The change log as it grows, a page at a time at the window's own pace: what is read is grouped at once, and shown
 * at most four times a second. It runs from `start` to `stop`, over lost connections, and resumes where it was.
 */
export class Feed {
  readonly #source: FeedSource;
  readonly rate = new RateMeter();
  #stopping = new AbortController();
  #log: FeedLog;
  #isHeld = false;
  #paceMs = PUBLISH_MS;
  #publishedAt = Number.NEGATIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #snapshot = createStore<FeedSnapshot>({
    entries: [],
    waiting: 0,
    isFilled: false,
    problem: null,
  });

  constructor(source: FeedSource) {
    this.#source = source;
    this.#log = new FeedLog(source.matches);
  }

  get snapshot(): ReadableStore<FeedSnapshot> {
    return this.#snapshot;
  }

  start(): void {
    this.#stopping = new AbortController();
    void this.#run(this.#stopping.signal);
  }

  stop(): void {
    this.#stopping.abort();
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Held, its rows stay as they are and what comes is only counted. */
  hold(isHeld: boolean): void {
    if (this.#isHeld === isHeld) return;
    this.#isHeld = isHeld;
    if (!isHeld) this.#publish();
  }

  /** What waits comes in, also while it is held. */
  showWaiting(): void {
    this.#say({ entries: this.#log.entries(), waiting: 0 });
  }

  async #run(signal: AbortSignal): Promise<void> {
    let from: string | null = null;
    let behind = 0;
    while (!signal.aborted) {
      try {
        from ??= await this.#fill(signal);
        const page: FeedPage = await this.#source.read(from, PAGE, WAIT_MS, signal);
        this.#take(page);
        from = page.next;
        this.#say({ problem: null });
        behind = page.events.length < PAGE ? 0 : behind + 1;
        if (behind > BEHIND_PAGES && this.#isPast(page)) {
          this.#skip(revisionOf(from), page.revision);
          from = `${page.revision + 1}`;
          behind = 0;
        }
        if (behind > 0) await pause(BREATH_MS);
      } catch (error) {
        if (signal.aborted) return;
        const oldest = this.#source.oldestKept(error);
        if (oldest !== null) {
          if (from !== null) this.#skip(revisionOf(from), oldest - 1);
          from = `${oldest}`;
          continue;
        }
        this.#say({ problem: this.#source.problemIn(error) });
        await pause(RETRY_MS);
      }
    }
  }

  /** What happened last before one looked; answers where to go on. */
  async #fill(signal: AbortSignal): Promise<string> {
    const until = this.#source.revision();
    let filled = await this.#readBack(until, BACK[0], signal);
    for (const back of BACK.slice(1)) {
      const isEnough = !filled.isWhole || filled.log.entries().length >= ENOUGH_ENTRIES;
      if (isEnough || filled.back >= until) break;
      const further = await this.#readBack(until, back, signal);
      // Too much to read at once: what was read before reaches up to now, without a gap.
      if (!further.isWhole) break;
      filled = further;
    }
    this.#log = filled.log;
    this.#say({ entries: this.#log.entries(), isFilled: true });
    return filled.next;
  }

  async #readBack(until: number, back: number, signal: AbortSignal) {
    const log = new FeedLog(this.#source.matches);
    let next = `${Math.max(1, until - back + 1)}`;
    for (let pages = 0; pages < FILL_PAGES && revisionOf(next) <= until; pages++) {
      const page = await this.#readKept(next, signal);
      for (const { event } of page.events) log.take(event);
      next = page.next;
    }
    return { log, back, next, isWhole: revisionOf(next) > until };
  }

  async #readKept(from: string, signal: AbortSignal): Promise<FeedPage> {
    try {
      return await this.#source.read(from, PAGE, 0, signal);
    } catch (error) {
      const oldest = this.#source.oldestKept(error);
      if (oldest === null) throw error;
      return this.#source.read(`${oldest}`, PAGE, 0, signal);
    }
  }

  #take(page: FeedPage): void {
    let changes = 0;
    let recent = 0;
    const since = this.#source.now() - RECENT_MS;
    for (const { event } of page.events) {
      const ended = this.#log.take(event);
      changes += ended;
      if (event.at > since) recent += ended;
    }
    if (changes === 0) return;
    // What is read long after it happened says nothing of how much happens.
    if (recent > 0) this.rate.count(recent, performance.now());
    const wait = this.#publishedAt + this.#paceMs - performance.now();
    if (wait <= 0) this.#publish();
    else this.#timer ??= setTimeout(() => this.#publish(), wait);
  }

  #isPast({ events }: FeedPage): boolean {
    const last = events.at(-1);
    return last !== undefined && last.event.at < this.#source.now() - RECENT_MS;
  }

  #skip(from: number, to: number): void {
    this.#log.skip(from, to);
    this.#publish();
  }

  #publish(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#publishedAt = performance.now();
    this.#paceMs = this.#log.freshEntries > BURST_ROWS ? BURST_MS : PUBLISH_MS;
    if (this.#isHeld) this.#say({ waiting: this.#log.freshChanges });
    else this.showWaiting();
  }

  #say(change: Partial<FeedSnapshot>): void {
    const next = { ...this.#snapshot.get(), ...change };
    const { entries, waiting, isFilled, problem } = this.#snapshot.get();
    const isSame =
      next.entries === entries &&
      next.waiting === waiting &&
      next.isFilled === isFilled &&
      next.problem === problem;
    if (isSame) return;
    this.#snapshot.set(next);
  }
}

function revisionOf(place: string): number {
  return Number(place.split('.')[0]);
}

function pause(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms));
}
