import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { HOUR, MINUTE, SECOND } from '../../../support/engine.ts';
import type { Random } from '../../../support/random.ts';
import type { Recorder } from '../recorder.ts';
import { callHost, type RestartingHost } from '../restarting-host.ts';
import type { HostClock } from './host-clock.ts';
import { type EraOptions, moment } from './host-time.ts';

/** The clock is at most this far from the machine's, or from where a confirmed jump left it: no two jumps exceed the bound of 1 h [R10]. */
const FOLLOWED_MS = 25 * MINUTE;
/** Smallest jump that the host compares with its uptime at once, ms; a smaller one is a difference of two clocks. */
const LEAST_MS = 1_100;
const HELD_MS = 3 * HOUR;
const NOTICED_WITHIN_MS = 20 * SECOND;
const POLL_MS = 5;

const reaper = z.object({ holds: z.array(z.object({ id: z.string(), cause: z.string() })) });
const refusedEffect = z.object({ data: z.object({ effect: z.object({ due: z.number() }) }) });
type Hold = z.infer<typeof reaper>['holds'][number];

interface ClockMoves {
  readonly host: RestartingHost;
  readonly clock: HostClock;
  readonly random: Random;
  readonly recorder: Recorder;
  /** Where the last confirmed jump left the clock, ms. */
  base: number;
}

const MOVES: readonly ((moves: ClockMoves) => Promise<void>)[] = [
  jump,
  jump,
  stand,
  stand,
  holdAndConfirm,
  holdAndReturn,
];

/** Moves the clock while clients call the host, until `isOver`; then the host follows its clock. */
export async function moveClock(moves: Omit<ClockMoves, 'base'>, isOver: () => boolean): Promise<void> {
  const { clock, random } = moves;
  const all = { ...moves, base: clock.time.present.offsetMs };
  while (!isOver()) {
    await wait(random.between(10, 150));
    await random.pick(MOVES)(all);
  }
}

/** Within the bound: the host follows, also back. */
async function jump({ host, clock, random, base, recorder }: ClockMoves): Promise<void> {
  await clock.exclusively(async () => {
    clock.set(followed(clock, random, base));
    await noticed(host, holds => holds.length === 0);
  });
  recorder.count('jumps of the clock that are followed');
}

/** The clock stands still, then jumps. */
async function stand(moves: ClockMoves): Promise<void> {
  const { clock, random, recorder } = moves;
  await clock.exclusively(async () => clock.stand());
  await wait(random.between(20, 400));
  recorder.count('times at which the clock stands still');
  await jump(moves);
}

/** Beyond the bound: the store is held, until a person confirms the clock. */
async function holdAndConfirm(moves: ClockMoves): Promise<void> {
  const { clock, random, host, recorder } = moves;
  const { offsetMs } = clock.time.present;
  const isAhead = moves.base <= 0;
  const jumped = offsetMs + (isAhead ? 1 : -1) * (HELD_MS + random.between(0, MINUTE));
  const [hold] = await beHeld(moves, jumped);
  await wait(random.between(10, 300));
  await clock.exclusively(async () => {
    const begun = clock.time.begin({ offsetMs: jumped, standsAt: null, isHeld: false });
    await confirm(host, hold);
    begun();
  });
  moves.base = jumped;
  recorder.count(`jumps ${isAhead ? 'ahead' : 'back'} that were confirmed`);
}

/** Beyond the bound, and back again: after a jump ahead the clock is confirmed, after a jump back the hold ends by itself. */
async function holdAndReturn(moves: ClockMoves): Promise<void> {
  const { clock, random, host, recorder } = moves;
  const { offsetMs } = clock.time.present;
  const isAhead = random.chance(0.5);
  const [hold] = await beHeld(moves, offsetMs + (isAhead ? 1 : -1) * (HELD_MS + random.between(0, MINUTE)));
  await wait(random.between(10, 300));
  await clock.exclusively(async () => {
    const begun = clock.time.begin({ offsetMs, standsAt: null, isHeld: false });
    clock.setUntrusted(offsetMs);
    if (isAhead) await confirm(host, hold);
    else await noticed(host, holds => holds.length === 0);
    begun();
  });
  recorder.count(`jumps ${isAhead ? 'ahead' : 'back'} that were undone`);
}

/** Jumps beyond the bound, and returns the hold when the host has placed it. The trusted time continues. */
function beHeld({ host, clock }: ClockMoves, offsetMs: number): Promise<readonly Hold[]> {
  return clock.exclusively(async () => {
    const held: EraOptions = { ...clock.time.present, isHeld: true };
    const begun = clock.time.begin(held);
    clock.setUntrusted(offsetMs);
    const holds = await noticed(host, found => found.some(({ cause }) => cause.startsWith('clock ')));
    begun();
    return holds;
  });
}

async function confirm(host: RestartingHost, hold: Hold | undefined): Promise<void> {
  const life = await host.life();
  let { answer } = await callHost(life, 'POST', '/api/reaper/confirm', { hold: hold?.id });
  // A person is shown how many documents become due, and confirms that number.
  while (answer?.code === 'EXPECTATION_FAILED') {
    const { due } = refusedEffect.parse(answer.body).data.effect;
    ({ answer } = await callHost(life, 'POST', '/api/reaper/confirm', { hold: hold?.id, expect: { due } }));
  }
  if (answer?.status !== 200) throw new Error(`the clock cannot be confirmed: ${JSON.stringify(answer)}`);
  await noticed(host, holds => holds.length === 0);
}

/** Polls the host until its holds are as expected. */
async function noticed(
  host: RestartingHost,
  isExpected: (holds: readonly Hold[]) => boolean,
): Promise<readonly Hold[]> {
  for (const until = performance.now() + NOTICED_WITHIN_MS; ; await wait(POLL_MS)) {
    const { answer } = await callHost(await host.life(), 'GET', '/api/reaper');
    const { holds } = reaper.parse(answer?.body);
    if (isExpected(holds)) return holds;
    if (performance.now() > until)
      throw new Error(`after a move of the clock the store has the holds ${JSON.stringify(holds)}`);
  }
}

/** An offset near `base` with which the clock jumps. */
function followed({ time }: HostClock, random: Random, base: number): number {
  for (;;) {
    const size = random.pick([2 * SECOND, 2 * SECOND, FOLLOWED_MS]);
    const offset = base + random.between(-size, size);
    if (Math.abs(moment().wall + offset - time.now()) >= LEAST_MS) return offset;
  }
}
