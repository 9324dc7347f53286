/**
 * A reference implementation of a collection without any optimization: documents in a map, every answer computed from all of
 * them. It shares no code with the engine, so that a mistake in one of them makes them differ.
 */

export type Reading = { at: number } | { reason: string };

/** A value of a field, with the reference time that must be read from it. */
export interface FieldValue {
  json: unknown;
  reading: Reading;
}

export interface NaiveDocument {
  id: string;
  fields: Record<string, FieldValue>;
  updatedAt: number;
  /** An instant, `never`, or nothing. */
  explicit: number | 'never' | null;
  explicitAction: NaiveAction;
  /** The rules under which the document is quarantined. */
  quarantined: ReadonlySet<string>;
  /** Changes with each write and each change of its expiration, and with nothing else. */
  version: number;
}

/** An expiry or a deletion by hand, with its restorable copy. */
export interface NaiveExpiry {
  cause: 'expired' | 'deleted';
  before: NaiveDocument;
  removedAt: number;
  /** 0 if no copy is kept. */
  keepUntil: number;
  bytes: number;
  /** The collection that the document was moved to. */
  outcome: 'deleted' | 'changed' | 'moved';
  /** The version after a change or a move. */
  left: number;
  /** Whether it was restored or purged. */
  isTaken: boolean;
  /** Whether a purge erased the removal's row of the log. */
  isErased: boolean;
  /** Whether the copies ever exceeded their limit, so that the store was allowed to evict this one. */
  mayBeEvicted: boolean;
  /** Whether the store has ever reported it as not restorable, which is final. */
  wasReportedEvicted: boolean;
}

/** `own` adds the seconds in the field `t`; `expression` gives 30 s after the last write where there is a `t`, else null. */
export type NaiveSource =
  | { kind: 'field'; field: string }
  | { kind: 'own'; field: string }
  | { kind: 'lastModified' }
  | { kind: 'expression' };

/** `patch` and `replace` remove the fields a and b, `stuck` is a patch that does not change the deadline. */
export type NaiveAction = 'delete' | 'patch' | 'replace' | 'stuck' | 'move';

export interface NaiveIndex {
  name: string;
  source: NaiveSource;
  action: NaiveAction;
  addMs: number;
  isPaused: boolean;
  isReady: boolean;
  isObserving: boolean;
}

export interface Governed {
  by: string;
  at: number;
}

export const MISSING: FieldValue = { json: undefined, reading: { reason: 'missing field' } };

/** Returns a document as JSON. */
export function jsonOf({ id, fields }: Pick<NaiveDocument, 'id' | 'fields'>): Record<string, unknown> {
  return { _id: id, ...Object.fromEntries(Object.entries(fields).map(([name, { json }]) => [name, json])) };
}

export class NaiveCollection {
  readonly documents = new Map<string, NaiveDocument>();
  readonly indexes = new Map<string, NaiveIndex>();
  /** The target collection of moves: the version of each document. */
  readonly archive = new Map<string, number>();
  /** Expiries by removal time. */
  readonly expired: { by: string; at: number }[] = [];
  /** The same in order of removal, with their restorable copies. */
  readonly expiries: NaiveExpiry[] = [];
  /** Retention in seconds, and the limit of all copies in bytes. */
  retention = { seconds: 86_400, bytes: 1024 ** 3 };
  #version = 0;

  nextVersion(): number {
    this.#version += 1;
    return this.#version;
  }

  reading({ source }: NaiveIndex, { fields, updatedAt }: NaiveDocument): Reading {
    const ttl = fields.t?.json;
    switch (source.kind) {
      case 'field':
        return (fields[source.field] ?? MISSING).reading;
      case 'own': {
        const { reading } = fields[source.field] ?? MISSING;
        if (!('at' in reading)) return reading;
        return typeof ttl === 'number' && ttl >= 0
          ? { at: reading.at + ttl * 1_000 }
          : { reason: 'not a duration' };
      }
      case 'lastModified':
        return { at: updatedAt };
      case 'expression':
        return ttl === undefined ? { reason: 'expression gave null' } : { at: updatedAt + 30_000 };
    }
  }

  /** Returns the deadline of a document under one rule alone. */
  deadlineBy(index: NaiveIndex, document: NaiveDocument): number | null {
    if (document.explicit !== null || document.quarantined.has(index.name)) return null;
    const reading = this.reading(index, document);
    return 'at' in reading ? reading.at + index.addMs : null;
  }

  /** Returns the reason for no deadline. */
  reasonBy(index: NaiveIndex, document: NaiveDocument): string | null {
    if (document.explicit === 'never') return 'pinned';
    if (document.explicit !== null) return 'set by hand';
    if (document.quarantined.has(index.name)) return 'quarantined';
    const reading = this.reading(index, document);
    return 'at' in reading ? null : reading.reason;
  }

  /** Returns the deadlines of the rules that are not paused; without any, those of the paused rules. */
  #pool(document: NaiveDocument): (Governed & { hides: boolean })[] {
    if (document.explicit === 'never') return [];
    if (document.explicit !== null) {
      if (document.quarantined.has('explicit')) return [];
      return [{ by: 'explicit', at: document.explicit, hides: hides(document.explicitAction) }];
    }
    const candidates = [...this.indexes.values()]
      .filter(index => index.isReady && !index.isObserving)
      .flatMap(index => {
        const at = this.deadlineBy(index, document);
        const { name: by, isPaused } = index;
        return at === null ? [] : [{ by, at, isPaused, hides: hides(index.action) }];
      });
    const running = candidates.filter(({ isPaused }) => !isPaused);
    return running.length > 0 ? running : candidates;
  }

  /** Returns the deadline: the explicit one, else the earliest of rules not paused, else the earliest. */
  governed(document: NaiveDocument): Governed | null {
    let best: Governed | null = null;
    for (const { by, at } of this.#pool(document)) if (best === null || at < best.at) best = { by, at };
    return best;
  }

  /** Returns the rule that hides a document: the earliest that deletes or moves it. */
  hiddenBy(document: NaiveDocument, now: number): Governed | null {
    let best: Governed | null = null;
    for (const { by, at, hides: isHiding } of this.#pool(document))
      if (isHiding && at <= now && (best === null || at < best.at)) best = { by, at };
    return best;
  }

  isHidden(document: NaiveDocument, now: number): boolean {
    return this.hiddenBy(document, now) !== null;
  }

  isDue(document: NaiveDocument, now: number): boolean {
    const deadline = this.governed(document);
    return deadline !== null && deadline.at <= now;
  }

  /** Returns the documents of a source that are due at the cutoff, in the order of their removal. */
  due(source: string, cutoff: number): { id: string; at: number }[] {
    const index = this.indexes.get(source);
    return [...this.documents.values()]
      .flatMap(document => {
        const given = document.quarantined.has('explicit') ? null : document.explicit;
        const at = index === undefined ? given : this.deadlineBy(index, document);
        return typeof at === 'number' && at <= cutoff ? [{ id: document.id, at }] : [];
      })
      .sort((a, b) => a.at - b.at);
  }

  /** Returns the documents that are due, by whichever rule governs each. */
  dueDocuments(now: number): string[] {
    return [...this.documents.values()].filter(document => this.isDue(document, now)).map(({ id }) => id);
  }

  /** Runs the action of a rule on a document. */
  expire(id: string, by: string, now: number, cutoff: number): 'removed' | 'changed' | 'quarantined' {
    const document = this.documents.get(id);
    if (document === undefined) throw new Error(`${id} is not there`);
    const index = this.indexes.get(by);
    const action = index?.action ?? document.explicitAction;
    if (action === 'move' && this.archive.has(id)) return this.#giveUp(document, by);
    if (action === 'delete' || action === 'move') {
      const left = this.nextVersion();
      this.documents.delete(id);
      if (action === 'move') this.archive.set(id, left);
      this.expired.push({ by, at: now });
      this.#keep(document, now, action === 'move' ? 'moved' : 'deleted', left);
      return 'removed';
    }
    const fields =
      action === 'stuck'
        ? { ...document.fields, mark: { json: 1, reading: { reason: 'wrong unit suspected' } } }
        : { ...document.fields, a: MISSING, b: MISSING };
    const changed: NaiveDocument = {
      ...document,
      fields,
      updatedAt: now,
      explicit: null,
      quarantined: new Set(),
      version: this.nextVersion(),
    };
    const at = index === undefined ? null : this.deadlineBy(index, changed);
    if (at !== null && at <= cutoff) return this.#giveUp(document, by);
    this.documents.set(id, changed);
    this.expired.push({ by, at: now });
    this.#keep(document, now, 'changed', changed.version);
    return 'changed';
  }

  /** Deletes a document by hand, which does not count as an expiry. Without a retention there is no entry of it. */
  delete(id: string, now: number): void {
    const document = this.documents.get(id);
    if (document === undefined) return;
    this.documents.delete(id);
    const { seconds, bytes } = this.retention;
    if (seconds > 0 && bytes > 0) this.#keep(document, now, 'deleted', this.nextVersion(), 'deleted');
  }

  #keep(
    before: NaiveDocument,
    now: number,
    outcome: NaiveExpiry['outcome'],
    left: number,
    cause: NaiveExpiry['cause'] = 'expired',
  ): void {
    const { seconds, bytes: most } = this.retention;
    this.expiries.push({
      cause,
      before,
      removedAt: now,
      keepUntil: seconds === 0 || most === 0 ? 0 : now + seconds * 1_000,
      bytes: Buffer.byteLength(JSON.stringify(jsonOf(before))),
      outcome,
      left,
      isTaken: false,
      isErased: false,
      mayBeEvicted: false,
      wasReportedEvicted: false,
    });
  }

  /**
   * Marks the copies that the store may release: the oldest first, while all copies exceed their limit. An expired copy
   * counts until it is released, within a minute.
   */
  noteExcess(): void {
    let bytes = 0;
    for (const expiry of this.expiries.toReversed()) {
      if (expiry.keepUntil === 0 || expiry.isTaken) continue;
      bytes += expiry.bytes;
      if (bytes > this.retention.bytes) expiry.mayBeEvicted = true;
    }
  }

  /**
   * Restores a copy that the store reports as restorable. A visible document under its `_id` is a conflict unless it is as the
   * expiry's own action left it. `newId` is the one that the store would generate.
   */
  restore(
    expiry: NaiveExpiry,
    {
      onConflict,
      explicit,
      now,
      newId,
    }: {
      onConflict: 'skip' | 'replace' | 'newId';
      explicit: number | 'never';
      now: number;
      newId: () => string;
    },
  ): 'restored' | 'in the way' {
    const { before, left, outcome } = expiry;
    const holder = this.documents.get(before.id);
    const isInTheWay = holder !== undefined && !(outcome === 'changed' && holder.version === left);
    if (isInTheWay && onConflict === 'skip') return 'in the way';
    const id = isInTheWay && onConflict === 'newId' ? newId() : before.id;
    this.documents.set(id, {
      id,
      fields: before.fields,
      updatedAt: now,
      explicit,
      explicitAction: 'delete',
      quarantined: new Set(),
      version: this.nextVersion(),
    });
    if (outcome === 'moved' && this.archive.get(before.id) === left) this.archive.delete(before.id);
    expiry.isTaken = true;
    return 'restored';
  }

  #giveUp(document: NaiveDocument, by: string): 'quarantined' {
    this.documents.set(document.id, {
      ...document,
      quarantined: new Set([...document.quarantined, by]),
    });
    return 'quarantined';
  }

  /** Ends the quarantine under a rule that was changed or dropped. */
  release(by: string): void {
    for (const [id, document] of this.documents) {
      const quarantined = new Set(document.quarantined);
      if (quarantined.delete(by)) this.documents.set(id, { ...document, quarantined });
    }
  }

  deadlines(): Governed[] {
    return [...this.documents.values()].flatMap(document => {
      const deadline = this.governed(document);
      return deadline === null ? [] : [deadline];
    });
  }
}

function hides(action: NaiveAction): boolean {
  return action === 'delete' || action === 'move';
}
