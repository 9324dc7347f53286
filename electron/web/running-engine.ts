import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { type ClientLink, ORPCError } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import type { EngineHost } from '../engine/client.ts';
import type { Clock } from '../engine/platform/clock.ts';
import { errorFields, type Logger } from '../engine/platform/logger.ts';

export type EngineLink = ClientLink<Record<never, never>>;

/**
 * The engine as a host holds it. It is started once; when it dies, it is started again, sooner at first, later when
 * it keeps dying, until `stop`. Whoever was attached sees its port close and comes again; calls through `link` fail
 * with SERVICE_UNAVAILABLE meanwhile.
 */
export interface RunningEngine {
  /** Hands a port to the engine. False while there is none. */
  attach(port: MessagePort): boolean;
  /** Calls by path, not decoded further than needed to pass them on. */
  readonly link: EngineLink;
  /** Closes the store and ends the thread. */
  stop(): Promise<void>;
}

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 10_000;
/** One that ran as long as this and died is a new trouble, not the old one again. */
const SETTLED_AFTER_MS = 30_000;

export interface EngineNeeds {
  start(): Promise<EngineHost>;
  clock: Clock;
  log: Logger;
}

interface Attempt {
  engine: EngineHost;
  port: MessagePort;
  link: EngineLink;
  startedAt: number;
}

/** Rejects as `start` does where the first start fails: then there is nothing to keep running. */
export async function keepEngineRunning({ start, clock, log }: EngineNeeds): Promise<RunningEngine> {
  const stopping = new AbortController();
  let current: Attempt | undefined;
  let restarting: Promise<void> = Promise.resolve();
  let failures = 0;

  async function begin(): Promise<void> {
    const engine = await start();
    const { port1: near, port2: far } = new MessageChannel();
    engine.attach(far);
    const link = new RPCLink({ port: near });
    near.start();
    const attempt: Attempt = { engine, port: near, link, startedAt: clock.elapsed() };
    current = attempt;
    void engine.exited.then(code => over(attempt, code));
  }

  function over(attempt: Attempt, code: number): void {
    current = undefined;
    // Whoever still waits for an answer on it is told that none will come.
    attempt.port.close();
    if (stopping.signal.aborted) return;
    log.error('the engine stopped; starting it again', { code });
    if (clock.elapsed() - attempt.startedAt >= SETTLED_AFTER_MS) failures = 0;
    restarting = beginAgain();
  }

  async function beginAgain(): Promise<void> {
    for (; current === undefined; failures++) {
      await clock.sleep(Math.min(FIRST_DELAY_MS * 2 ** failures, LONGEST_DELAY_MS), stopping.signal);
      if (stopping.signal.aborted) return;
      try {
        await begin();
        log.info('the engine runs again');
      } catch (error) {
        log.error('the engine could not be started', errorFields(error));
      }
    }
  }

  await begin();
  return {
    attach(port) {
      if (current === undefined || stopping.signal.aborted) return false;
      current.engine.attach(port);
      return true;
    },
    link: {
      async call(path, input, options) {
        const attempt = current;
        if (attempt === undefined) throw engineAway();
        try {
          return await attempt.link.call(path, input, options);
        } catch (error) {
          throw attempt === current || error instanceof ORPCError ? error : engineAway();
        }
      },
    },
    async stop() {
      stopping.abort();
      await restarting;
      await current?.engine.stop();
    },
  };
}

function engineAway(): ORPCError<'SERVICE_UNAVAILABLE', undefined> {
  return new ORPCError('SERVICE_UNAVAILABLE', {
    status: 503,
    message:
      'The engine stopped and is being started again. What was asked of it may or may not have been done: ask again.',
  });
}
