/**
 * A collection as someone would write it who has all the time in the world: documents in a map, and every answer
 * computed anew from all of them. It shares no code with the engine, so that the two can only agree by being right.
 */

/** What a field holds, made together with what it must be read as. */
export interface FieldValue {
  json: unknown;
  reading: { at: number } | { reason: string };
}

export interface NaiveDocument {
  id: string;
  fields: Record<string, FieldValue>;
  /** An instant, `never`, or nothing. */
  explicit: number | 'never' | null;
}

export interface NaiveIndex {
  name: string;
  field: string;
  addMs: number;
  isPaused: boolean;
  isReady: boolean;
}

export interface Governed {
  by: string;
  at: number;
}

export class NaiveCollection {
  readonly documents = new Map<string, NaiveDocument>();
  readonly indexes = new Map<string, NaiveIndex>();
  /** What expired, by removal time. */
  readonly expired: { by: string; at: number }[] = [];

  /** The deadline that one rule gives a document, whatever the others say. */
  deadlineBy(index: NaiveIndex, document: NaiveDocument): number | null {
    if (document.explicit !== null) return null;
    const reading = document.fields[index.field]?.reading ?? { reason: 'missing field' };
    return 'at' in reading ? reading.at + index.addMs : null;
  }

  /** The deadline: the explicit one, else the earliest of those not paused, else the earliest. */
  governed(document: NaiveDocument): Governed | null {
    if (document.explicit === 'never') return null;
    if (document.explicit !== null) return { by: 'explicit', at: document.explicit };
    const candidates = [...this.indexes.values()]
      .filter(index => index.isReady)
      .flatMap(index => {
        const at = this.deadlineBy(index, document);
        return at === null ? [] : [{ by: index.name, at, isPaused: index.isPaused }];
      });
    const running = candidates.filter(({ isPaused }) => !isPaused);
    const pool = running.length > 0 ? running : candidates;
    let best: Governed | null = null;
    for (const { by, at } of pool) if (best === null || at < best.at) best = { by, at };
    return best;
  }

  isHidden(document: NaiveDocument, now: number): boolean {
    const deadline = this.governed(document);
    return deadline !== null && deadline.at <= now;
  }

  /** What a source has due at the cutoff, in the order in which it must go. */
  due(source: string, cutoff: number): { id: string; at: number }[] {
    const index = this.indexes.get(source);
    return [...this.documents.values()]
      .flatMap(document => {
        const explicit = typeof document.explicit === 'number' ? document.explicit : null;
        const at = index === undefined ? explicit : this.deadlineBy(index, document);
        return at !== null && at <= cutoff ? [{ id: document.id, at }] : [];
      })
      .sort((a, b) => a.at - b.at);
  }

  deadlines(): Governed[] {
    return [...this.documents.values()].flatMap(document => {
      const deadline = this.governed(document);
      return deadline === null ? [] : [deadline];
    });
  }
}
