import type { ChangeEvent } from '../../../../shared/contract/events.ts';
import { createStore, type ReadableStore } from '../../../state/store.ts';
import { type Change, type FeedEntry, FeedLog } from './feed-log.ts';
import { RateMeter } from './rate-meter.ts';

export interface FeedPage {
  events: readonly { event: ChangeEvent }[];
  /** Cursor of the next read, `revision.position`. */
  next: string;
  /** Revision of the store. */
  revision: number;
}

export interface FeedSource {
  /** Rejects on failure; `oldestKept` is set if the log was compacted past the cursor. */
  read: (from: string, limit: number, waitMs: number, signal: AbortSignal) => Promise<FeedPage>;
  oldestKept: (error: unknown) => number | null;
  /** Message of an error; null: the connection is lost, which the banner reports. */
  problemIn: (error: unknown) => string | null;
  revision: () => number;
  /** Engine time, epoch ms. */
  now: () => number;
  matches: (change: Change) => boolean;
}

export interface FeedSnapshot {
  /** Newest first. */
  entries: readonly FeedEntry[];
  /** Changes since the rows were held. */
  waiting: number;
  /** Whether the changes before the start have been read. */
  isFilled: boolean;
  problem: string | null;
}

const PAGE = 500;
const WAIT_MS = 25_000;
/** Revisions before now at which the feed starts: enough to fill a window, without reading a whole log. */
const BACK = [20, 60, 200, 600, 2_000] as const;
const ENOUGH_ENTRIES = 60;
const FILL_PAGES = 12;
/** Number of consecutive full pages of old changes after which the feed skips to now. */
const BEHIND_PAGES = 20;
const PAUSE_MS = 25;
const PUBLISH_MS = 250;
/** With more new rows than this in one read, rows are shown once a second, so that the window stays responsive. */
const BURST_ROWS = 15;
const BURST_MS = 1_000;
const RETRY_MS = 2_000;
const RECENT_MS = 5_000;

/**
 * Reads the change log page by page, groups its changes, and publishes rows at most four times a second. Runs from
 * `start` to `stop`, and resumes after lost connections.
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

  /** While held, rows stay and new changes are only counted. */
  hold(isHeld: boolean): void {
    if (this.#isHeld === isHeld) return;
    this.#isHeld = isHeld;
    if (!isHeld) this.#publish();
  }

  /** Shows buffered rows, also while held. */
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
        if (behind > 0) await pause(PAUSE_MS);
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

  /** Reads the changes before now; returns the cursor to continue from. */
  async #fill(signal: AbortSignal): Promise<string> {
    const until = this.#source.revision();
    let filled = await this.#readBack(until, BACK[0], signal);
    for (const back of BACK.slice(1)) {
      const isEnough = !filled.isWhole || filled.log.entries().length >= ENOUGH_ENTRIES;
      if (isEnough || filled.back >= until) break;
      const further = await this.#readBack(until, back, signal);
      // There are more changes than are read at once: the pages read so far end at now, without a gap.
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
    // Changes read long after they were made do not count for the rate.
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
