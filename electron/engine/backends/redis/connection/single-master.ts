import { SandglassError } from '../../../../../shared/model/errors.ts';
import type { CommandConnection } from './command-connection.ts';
import { connectionsOf, connectMaster, untilReady } from './master-connections.ts';
import type { Master, Masters, MastersOptions } from './masters.ts';
import type { RedisConnection } from './redis-connection.ts';
import { publicRedisUri, type ServerTarget } from './redis-uri.ts';

/**
 * A standalone server, or the master that sentinels name. After a failover each of its connections finds the new master
 * by itself; for some time they may be connected to different servers.
 */
export class SingleMaster implements Masters {
  readonly #master: Master;
  readonly #isWatched: boolean;

  constructor(target: ServerTarget, options: MastersOptions) {
    this.#master = connectMaster(publicRedisUri(target), target, options);
    this.#isWatched = target.place.is === 'sentinel';
  }

  get commands(): CommandConnection {
    return this.#master.commands;
  }

  get known(): readonly Master[] {
    return [this.#master];
  }

  firstAttempt(): Promise<void> {
    return this.#master.commands.firstAttempt();
  }

  async all(signal: AbortSignal): Promise<readonly Master[]> {
    for (;;) {
      if (signal.aborted) throw new SandglassError('CANCELLED', 'Connecting ended.');
      const lost = connectionsOf(this.#master).find(({ isReady }) => !isReady);
      if (lost !== undefined) {
        await untilReady(lost, signal);
        continue;
      }
      const strays = await this.#strays();
      if (strays.length === 0) return [this.#master];
      for (const stray of strays) stray.reconnect();
    }
  }

  async changed(): Promise<string | null> {
    return (await this.#strays()).length === 0 ? null : 'the sentinels chose another master';
  }

  onLost(listener: (error: Error) => void): () => void {
    const stops = connectionsOf(this.#master).map(connection => connection.onLost(listener));
    return () => {
      for (const stop of stops) stop();
    };
  }

  close(): void {
    for (const connection of connectionsOf(this.#master)) connection.close();
  }

  /** Returns the connections to a server that is not the master of the sentinels any more. */
  async #strays(): Promise<readonly RedisConnection[]> {
    if (!this.#isWatched) return [];
    const { commands } = this.#master;
    const all = connectionsOf(this.#master);
    if (!(await commands.isToMaster())) return all;
    return all.filter(({ endpoint }) => endpoint !== commands.endpoint);
  }
}
