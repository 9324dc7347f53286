import { type Lease, nextMeasurementAt } from './lease.ts';

interface Entry {
  /** Undefined: not measured yet. */
  lease: Lease | undefined;
  /** The server replied that the lease does not exist; events report the deletion of its keys. */
  isGone: boolean;
  nextAt: number;
  readonly keys: Set<string>;
}

/** Leases of the mirrored keys, and the lease to which each key is attached. */
export class LeaseTable {
  readonly #entries = new Map<string, Entry>();
  readonly #leaseOfKey = new Map<string, string>();

  /** Attaches a key to a lease; null: detaches it. */
  attach(key: string, lease: string | null): void {
    const before = this.#leaseOfKey.get(key);
    if (before === lease) return;
    if (before !== undefined) this.#detach(key, before);
    if (lease === null) return;
    this.#leaseOfKey.set(key, lease);
    this.#entry(lease).keys.add(key);
  }

  leaseOf(key: string): string | null {
    return this.#leaseOfKey.get(key) ?? null;
  }

  /** Returns the lease as last measured, even if it is gone now. */
  get(id: string): Lease | undefined {
    return this.#entries.get(id)?.lease;
  }

  isGone(id: string): boolean {
    return this.#entries.get(id)?.isGone ?? false;
  }

  keysOf(id: string): ReadonlySet<string> {
    return this.#entries.get(id)?.keys ?? NONE;
  }

  set(lease: Lease): void {
    const entry = this.#entry(lease.id);
    entry.lease = lease;
    entry.isGone = false;
    entry.nextAt = nextMeasurementAt(lease);
  }

  setGone(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    entry.isGone = true;
    entry.nextAt = Number.POSITIVE_INFINITY;
  }

  /**
   * Returns up to `limit` leases whose measurement is due at `now`, the longest overdue first. Removes leases without
   * keys.
   */
  due(now: number, limit: number): string[] {
    const due = [...this.#entries].filter(([, { nextAt }]) => nextAt <= now);
    for (const [id, { keys }] of due) if (keys.size === 0) this.#entries.delete(id);
    due.sort(([, a], [, b]) => a.nextAt - b.nextAt);
    return due
      .filter(([, { keys }]) => keys.size > 0)
      .slice(0, limit)
      .map(([id]) => id);
  }

  /** Returns how long the longest overdue measurement has been due, ms. */
  lateness(now: number): number {
    let earliest = now;
    for (const { nextAt, keys } of this.#entries.values())
      if (keys.size > 0) earliest = Math.min(earliest, nextAt);
    return now - earliest;
  }

  /** Makes the measurement of all leases due, for example after a lost connection or the election of a leader. */
  measureAgain(): void {
    for (const entry of this.#entries.values()) entry.nextAt = 0;
  }

  /** Leases with keys, most keys first. */
  largest(limit: number): { id: string; keys: number }[] {
    return [...this.#entries]
      .map(([id, { keys }]) => ({ id, keys: keys.size }))
      .sort((a, b) => b.keys - a.keys)
      .slice(0, limit);
  }

  clear(): void {
    this.#entries.clear();
    this.#leaseOfKey.clear();
  }

  #entry(id: string): Entry {
    let entry = this.#entries.get(id);
    if (entry === undefined) {
      entry = { lease: undefined, isGone: false, nextAt: 0, keys: new Set() };
      this.#entries.set(id, entry);
    }
    return entry;
  }

  #detach(key: string, lease: string): void {
    this.#leaseOfKey.delete(key);
    const entry = this.#entries.get(lease);
    entry?.keys.delete(key);
    if (entry?.keys.size === 0) this.#entries.delete(lease);
  }
}

const NONE: ReadonlySet<string> = new Set();
