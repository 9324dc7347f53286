/**
 * A collection as someone would write it who has all the time in the world: documents in a map, and every answer
 * computed anew from all of them. It shares no code with the engine, so that the two can only agree by being right.
 */

export type Reading = { at: number } | { reason: string };

/** What a field holds, made together with what it must be read as. */
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
  /** The rules that have given up on it. */
  quarantined: ReadonlySet<string>;
  /** Another one after each write and each change of its expiration; nothing else changes it. */
  version: number;
}

/** An expiry, and what of it can be brought back. */
export interface NaiveExpiry {
  before: NaiveDocument;
  removedAt: number;
  /** 0: it is not kept. */
  keepUntil: number;
  bytes: number;
  /** Where the document went. */
  outcome: 'deleted' | 'changed' | 'moved';
  /** The version that a change or a move left. */
  left: number;
  /** Restored or purged. */
  isTaken: boolean;
  /** Its row of the log was erased by a purge. */
  isErased: boolean;
  /** There was a moment at which the store held too many bytes to be obliged to keep it. */
  mayBeLetGo: boolean;
  /** The store said that it is not restorable: it may never say otherwise again. */
  wasToldGone: boolean;
}

/** `own` adds the seconds in the field `t`; `expression` gives 30 s after the last write where there is a `t`, else null. */
export type NaiveSource =
  | { kind: 'field'; field: string }
  | { kind: 'own'; field: string }
  | { kind: 'lastModified' }
  | { kind: 'expression' };

/** `patch` and `replace` take the fields a and b out, `stuck` is a patch that changes nothing of the deadline. */
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

/** A document as JSON. */
export function jsonOf({ id, fields }: Pick<NaiveDocument, 'id' | 'fields'>): Record<string, unknown> {
  return { _id: id, ...Object.fromEntries(Object.entries(fields).map(([name, { json }]) => [name, json])) };
}

export class NaiveCollection {
  readonly documents = new Map<string, NaiveDocument>();
  readonly indexes = new Map<string, NaiveIndex>();
  /** The collection that documents are moved to: the version of each. */
  readonly archive = new Map<string, number>();
  /** What expired, by removal time. */
  readonly expired: { by: string; at: number }[] = [];
  /** The same in order of removal, as what can be brought back. */
  readonly expiries: NaiveExpiry[] = [];
  /** In seconds, and the most bytes of copies. */
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

  /** The deadline that one rule gives a document, whatever the others say. */
  deadlineBy(index: NaiveIndex, document: NaiveDocument): number | null {
    if (document.explicit !== null || document.quarantined.has(index.name)) return null;
    const reading = this.reading(index, document);
    return 'at' in reading ? reading.at + index.addMs : null;
  }

  /** Why it has none. */
  reasonBy(index: NaiveIndex, document: NaiveDocument): string | null {
    if (document.explicit === 'never') return 'pinned';
    if (document.explicit !== null) return 'set by hand';
    if (document.quarantined.has(index.name)) return 'quarantined';
    const reading = this.reading(index, document);
    return 'at' in reading ? null : reading.reason;
  }

  /** The deadlines that count: of the rules not paused, or where there is none, of the paused ones. */
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

  /** The deadline: the explicit one, else the earliest of those not paused, else the earliest. */
  governed(document: NaiveDocument): Governed | null {
    let best: Governed | null = null;
    for (const { by, at } of this.#pool(document)) if (best === null || at < best.at) best = { by, at };
    return best;
  }

  /** The rule that hides it, if it is hidden: the earliest of those that delete or move. */
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

  /** What a source has due at the cutoff, in the order in which it must go. */
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

  /** Does to a document what a rule says. */
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

  #keep(before: NaiveDocument, now: number, outcome: NaiveExpiry['outcome'], left: number): void {
    const { seconds, bytes: most } = this.retention;
    this.expiries.push({
      before,
      removedAt: now,
      keepUntil: seconds === 0 || most === 0 ? 0 : now + seconds * 1_000,
      bytes: Buffer.byteLength(JSON.stringify(jsonOf(before))),
      outcome,
      left,
      isTaken: false,
      isErased: false,
      mayBeLetGo: false,
      wasToldGone: false,
    });
  }

  /**
   * Marks those that the store may let go of: the oldest first, while all copies are more than they may be. A copy whose time
   * is up still counts until it is let go of, within a minute.
   */
  noteExcess(): void {
    let bytes = 0;
    for (const expiry of this.expiries.toReversed()) {
      if (expiry.keepUntil === 0 || expiry.isTaken) continue;
      bytes += expiry.bytes;
      if (bytes > this.retention.bytes) expiry.mayBeLetGo = true;
    }
  }

  /**
   * Brings back what was, where the store says that it can. The document under its `_id`, if one can be seen, is in the way
   * unless it is as the expiry's own action left it. `newId` is the one that the store would make.
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

  /** A rule has changed, or is gone, and looks anew at what it had given up on. */
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
