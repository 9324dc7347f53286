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

export class NaiveCollection {
  readonly documents = new Map<string, NaiveDocument>();
  readonly indexes = new Map<string, NaiveIndex>();
  /** The `_id`s of the collection that documents are moved to. */
  readonly archive = new Set<string>();
  /** What expired, by removal time. */
  readonly expired: { by: string; at: number }[] = [];

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
      this.documents.delete(id);
      if (action === 'move') this.archive.add(id);
      this.expired.push({ by, at: now });
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
    };
    const at = index === undefined ? null : this.deadlineBy(index, changed);
    if (at !== null && at <= cutoff) return this.#giveUp(document, by);
    this.documents.set(id, changed);
    this.expired.push({ by, at: now });
    return 'changed';
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
