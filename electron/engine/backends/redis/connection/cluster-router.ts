import { type Redirect, redirectOf, slotOf } from './cluster-topology.ts';
import type { Command, CommandConnection, Outcome } from './command-connection.ts';
import type { Listeners } from './listeners.ts';
import type { Master } from './masters.ts';
import { connectionLost } from './redis-failure.ts';
import type { HostAndPort } from './redis-uri.ts';
import type { Reply } from './reply.ts';

/** The masters of a cluster, as the router needs them. */
export interface ClusterNodes {
  readonly isReady: boolean;
  masterOf(slot: number): Master | undefined;
  /** Returns a master that can be reached. */
  anyMaster(): Master | undefined;
  /** Rejects if the node cannot be reached. */
  masterAt(node: HostAndPort): Promise<Master>;
  /** Called when a slot has moved. */
  redirected(): void;
}

/** A key may move again while its command is redirected. */
const MOST_REDIRECTS = 5;

/** Sends each command to the master of its key, and follows redirects: a redirected command was not executed. */
export class ClusterRouter implements CommandConnection {
  readonly isRouted = true;
  readonly #nodes: ClusterNodes;
  readonly #events: { readonly ready: Listeners<[]>; readonly lost: Listeners<[Error]> };

  constructor(
    nodes: ClusterNodes,
    events: { readonly ready: Listeners<[]>; readonly lost: Listeners<[Error]> },
  ) {
    this.#nodes = nodes;
    this.#events = events;
  }

  get isReady(): boolean {
    return this.#nodes.isReady;
  }

  async command(...command: Command): Promise<Reply> {
    const [outcome = { error: connectionLost('no reply') }] = await this.pipeline([command]);
    if ('error' in outcome) throw outcome.error;
    return outcome.reply;
  }

  /** Commands of one master are executed in their order, unless they are redirected. */
  async pipeline(commands: readonly Command[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = commands.map(() => ({ error: connectionLost('its slot has no master') }));
    const addressed = commands.map((command, place) => ({ command, place }));
    const byMaster = Map.groupBy(addressed, ({ command }) => this.#masterOf(command));
    const sent = [...byMaster].map(async ([master, part]) => {
      const replies = (await master?.commands.pipeline(part.map(({ command }) => command))) ?? [];
      for (const [i, reply] of replies.entries()) {
        const one = part[i];
        if (one !== undefined)
          outcomes[one.place] = await this.#redirected(one.command, reply, MOST_REDIRECTS);
      }
    });
    await Promise.all(sent);
    return outcomes;
  }

  onReady(listener: () => void): () => void {
    return this.#events.ready.add(listener);
  }

  onLost(listener: (error: Error) => void): () => void {
    return this.#events.lost.add(listener);
  }

  #masterOf(command: Command): Master | undefined {
    const slot = slotOf(command);
    return slot === null ? this.#nodes.anyMaster() : this.#nodes.masterOf(slot);
  }

  async #redirected(command: Command, outcome: Outcome, most: number): Promise<Outcome> {
    const redirect = 'error' in outcome ? redirectOf(outcome.error) : null;
    if (redirect === null || most === 0) return outcome;
    if (redirect.is === 'MOVED') this.#nodes.redirected();
    return this.#redirected(command, await this.#sendTo(redirect, command), most - 1);
  }

  async #sendTo({ is, node }: Redirect, command: Command): Promise<Outcome> {
    try {
      const { commands } = await this.#nodes.masterAt(node);
      const replies = await commands.pipeline(is === 'ASK' ? [['ASKING'], command] : [command]);
      return replies.at(-1) ?? { error: connectionLost('no reply') };
    } catch (error) {
      return { error: error instanceof Error ? error : connectionLost(String(error)) };
    }
  }
}
