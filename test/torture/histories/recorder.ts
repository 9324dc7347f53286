import { CONTRACT_ERRORS } from '../../../shared/contract/errors.ts';
import type { Random } from '../../support/random.ts';
import type { DocumentAction, DocumentOperation, Version } from './checker/document-model.ts';
import type { Acknowledged, Purged, StoredAt } from './checker/event-log.ts';
import type { Call } from './checker/linearizable.ts';
import type { HostTime, TimeOfCall } from './clock/host-time.ts';
import type { Answer, Answered } from './restarting-host.ts';

export const COLLECTION = 'c';
/** Targets of moves. An `_id` stays in its target, so that each move of it has another one. */
export const ARCHIVES = ['archive0', 'archive1', 'archive2', 'archive3', 'archive4', 'archive5'] as const;
export const DOCUMENTS = `/api/collections/${COLLECTION}/documents`;

export interface Client {
  readonly random: Random;
  readonly recorder: Recorder;
  /** Last revision of the main watch: nothing that it has not received may be purged. */
  received(): number;
  call(method: string, path: string, body?: unknown): Promise<Answered>;
}

/** The clients' operations on the documents of one epoch. */
export class Recorder {
  readonly ids: readonly string[];
  readonly time: HostTime;
  readonly calls = new Map<string, Call<DocumentOperation>[]>();
  readonly stored: StoredAt[] = [];
  readonly acknowledged: Acknowledged[] = [];
  readonly failures: string[] = [];
  readonly purges: Purged[] = [];
  readonly #moves = new Map<string, number>();
  readonly #versions = new Map<string, Version[]>();
  readonly met: Record<string, number> = {};
  #value = 0;

  constructor(ids: readonly string[], time: HostTime) {
    this.ids = ids;
    this.time = time;
  }

  timeOf({ called, returned }: Answered): TimeOfCall {
    return this.time.during(called, returned);
  }

  value(): number {
    this.#value += 1;
    return this.#value;
  }

  /** Returns a collection to which none of the documents was moved before; null: there is none. */
  archiveFor(ids: readonly string[]): string | null {
    const next = Math.max(...ids.map(id => this.#moves.get(id) ?? 0));
    for (const id of ids) this.#moves.set(id, next + 1);
    return ARCHIVES[next] ?? null;
  }

  note(id: string, answered: Answered, action: DocumentAction): void {
    const { called, returned } = answered;
    const calls = this.calls.get(id) ?? [];
    calls.push({
      calledAt: called.at,
      returnedAt: returned.at,
      operation: { action, ...this.timeOf(answered) },
    });
    this.calls.set(id, calls);
    this.#noteVersions(id, action);
    this.count(
      action.is === 'read' || action.answer !== 'unknown'
        ? `${action.is} operations`
        : 'operations without an answer',
    );
  }

  /** Every version that a call may have made of a document, also by its expiration; filled until all calls have ended. */
  versionsOf(id: string): readonly Version[] {
    return this.#versionsOf(id);
  }

  #versionsOf(id: string): Version[] {
    const versions = this.#versions.get(id) ?? [];
    this.#versions.set(id, versions);
    return versions;
  }

  #noteVersions(id: string, action: DocumentAction): void {
    const versions = this.#versionsOf(id);
    if (action.is === 'write') {
      const { value, field } = action;
      versions.push({ value, field });
      // The document without its date.
      if (field !== null) versions.push({ value, field: null });
    } else if (action.is === 'expire' && typeof action.action?.value === 'number')
      versions.push({ value: action.action.value, field: null });
  }

  count(what: string): void {
    this.met[what] = (this.met[what] ?? 0) + 1;
  }

  /** A refusal that changed nothing. It has a code of the contract, and is no internal error. */
  refused(what: string, { status, code, body }: Answer): void {
    this.count(`refused with ${code}`);
    if (status >= 500 || code === undefined || !(code in CONTRACT_ERRORS))
      this.failures.push(`${what} was answered ${status} ${JSON.stringify(body).slice(0, 300)}`);
  }
}
