import type { Random } from '../../support/random.ts';
import { expire, expireMany } from './expiration-calls.ts';
import { get, list } from './read-calls.ts';
import type { Client, Recorder } from './recorder.ts';
import { remove, removeMany } from './removal-calls.ts';
import { callHost, type RestartingHost } from './restarting-host.ts';
import { purge, restore } from './restore-calls.ts';
import { put, write } from './write-calls.ts';

const ACTIONS: readonly [weight: number, (client: Client) => Promise<void>][] = [
  [20, put],
  [16, write],
  [6, remove],
  [3, removeMany],
  [12, expire],
  [4, expireMany],
  [2, restore],
  [1, purge],
  [30, get],
  [8, list],
];
const CHOICES = ACTIONS.flatMap(([weight, action]) => Array.from({ length: weight }, () => action));

/** Calls the host until `isOver`, one call after the other. */
export async function runClient(
  host: RestartingHost,
  random: Random,
  recorder: Recorder,
  { isOver, received }: { isOver: () => boolean; received: () => number },
): Promise<void> {
  while (!isOver()) {
    const life = await host.life();
    if (life.isEnding) {
      // The next process is being started: the calls of this one have ended.
      await life.ended;
      await new Promise(resolve => setTimeout(resolve, 5));
      continue;
    }
    const client: Client = { random, recorder, received, call: (...call) => callHost(life, ...call) };
    await random.pick(CHOICES)(client);
  }
}
