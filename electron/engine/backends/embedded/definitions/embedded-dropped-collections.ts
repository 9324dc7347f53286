import type { DroppedCollection } from '../../../../../shared/contract/collections.ts';
import type { DroppedStore } from '../../backend.ts';
import type { Writer } from '../write/writer.ts';
import type { CollectionDefinitions } from './collection-definitions.ts';
import type { CollectionRetention } from './collection-retention.ts';
import type { EmbeddedHolds } from './embedded-holds.ts';
import type { HoldPlacement } from './hold-placement.ts';

/** Dropped collections, for the API [X4]. */
export class EmbeddedDropped implements DroppedStore {
  readonly #writer: Writer;
  readonly #dropped: CollectionRetention;
  readonly #definitions: CollectionDefinitions;
  readonly #holds: EmbeddedHolds;
  readonly #holdPlacement: HoldPlacement;

  constructor(
    writer: Writer,
    dropped: CollectionRetention,
    {
      definitions,
      holds,
      holdPlacement,
    }: { definitions: CollectionDefinitions; holds: EmbeddedHolds; holdPlacement: HoldPlacement },
  ) {
    this.#writer = writer;
    this.#dropped = dropped;
    this.#definitions = definitions;
    this.#holds = holds;
    this.#holdPlacement = holdPlacement;
  }

  list(): DroppedCollection[] {
    return this.#dropped.list(this.#writer.clock.now());
  }

  restore(id: number, { by, name }: { by: string; name?: string | undefined }): string {
    const restored = name ?? this.#dropped.get(id, this.#writer.clock.now()).name;
    this.#definitions.restore(id, restored, transaction => {
      // Held in the same transaction: documents that became due meanwhile stay held even if the process ends right
      // after it [R9].
      const { catalog } = this.#writer.collection(restored);
      if (this.#holdPlacement.due(catalog, transaction.at) > 0)
        this.#holds.placeIn(transaction, { collection: restored, cause: 'restored collection', by });
    });
    return restored;
  }

  evict(id: number): DroppedCollection {
    const found = this.#dropped.get(id, this.#writer.clock.now());
    this.#writer.maintain(() => this.#dropped.release(id));
    return found;
  }

  free(budgetMs: number): boolean {
    return this.#dropped.free(this.#writer.clock.elapsed() + budgetMs);
  }
}
