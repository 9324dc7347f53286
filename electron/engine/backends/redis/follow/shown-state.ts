import type { MirrorState } from '../../../../../shared/contract/capabilities.ts';
import type { DeadlineMirror } from '../../../deadline-mirror/deadline-mirror.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { ServerClock } from '../server/server-clock.ts';

/** A server that does not reply for so long is shown as stale, ms; the connection is replaced much later. */
const SILENT_MS = 3_000;
const SILENT = 'the server does not reply';

export interface ShownStateOptions {
  readonly mirror: Pick<DeadlineMirror, 'setState'>;
  readonly serverClock: Pick<ServerClock, 'now'>;
  readonly clock: Clock;
  /** Called when the state of the mirror has changed. */
  onState(): void;
}

/**
 * The state of a mirror, as it is shown: stale while the server does not reply, as one whose process is stopped or whose network
 * drops packets. Nothing is lost meanwhile if the connection holds, so the state returns with the next reply, without a scan.
 */
export class ShownState {
  readonly #options: ShownStateOptions;
  #state: MirrorState | null = null;
  /** When the request without a reply was sent, epoch ms by the server's clock; null: replies come. */
  #silentSince: number | null = null;

  constructor(options: ShownStateOptions) {
    this.#options = options;
  }

  set(state: MirrorState): void {
    if (state.is !== 'stale') this.#silentSince = null;
    this.#state = state;
    this.#show();
  }

  /** Returns the reply to a request; until it comes, the server may be silent. */
  async whileAwaited<Reply>(reply: Promise<Reply>): Promise<Reply> {
    const { clock, serverClock } = this.#options;
    const sentAt = serverClock.now();
    const ended = new AbortController();
    const timer = clock.sleep(SILENT_MS, ended.signal).then(() => {
      if (!ended.signal.aborted) this.#silence(sentAt);
    });
    try {
      const given = await reply;
      this.#silence(null);
      return given;
    } finally {
      ended.abort();
      await timer;
    }
  }

  #silence(since: number | null): void {
    if (since === this.#silentSince) return;
    this.#silentSince = since;
    this.#show();
  }

  #show(): void {
    const { mirror, onState } = this.#options;
    const state = this.#state;
    if (state === null) return;
    const since = this.#silentSince;
    const reason = state.is === 'stale' ? state.reason : SILENT;
    mirror.setState(since === null ? state : { is: 'stale', since, reason });
    onState();
  }
}
