/** Entry of the engine's worker thread: opens the store, answers on every port it is handed, closes the store at the end. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { StandardRPCHandler } from '@orpc/server/standard';
import { createServerPeerHandleRequestFn } from '@orpc/server/standard-peer';
import { z } from 'zod';
import { SandglassError } from '../../shared/model/errors.ts';
import { router } from './api/router.ts';
import { openEngine } from './engine.ts';
import { CallCounter } from './platform/call-counter.ts';
import { answerOn } from './platform/call-port.ts';
import { systemClock } from './platform/clock.ts';
import { createLogger, errorFields, LOG_LEVELS } from './platform/logger.ts';
import type { FromThread, ToThread } from './platform/thread-messages.ts';

const options = z
  .object({
    storeFile: z.string(),
    logLevel: z.enum(LOG_LEVELS),
    user: z.string(),
    version: z.string(),
    calls: z.instanceof(SharedArrayBuffer),
  })
  .parse(workerData);

const log = createLogger(options.logLevel, systemClock.now);
const calls = new CallCounter(options.calls);
const ports = new Set<MessagePort>();

function tell(message: FromThread): void {
  parentPort?.postMessage(message);
}

function start(): void {
  const { engine, stop } = openEngine({
    storeFile: options.storeFile,
    clock: systemClock,
    log,
    version: options.version,
    callsWaiting: () => calls.waiting,
    onReaderDeath: error => {
      throw error;
    },
  });
  const context = { engine, caller: { user: options.user } };
  const handle = createServerPeerHandleRequestFn(new StandardRPCHandler(router, {}), { context });
  parentPort?.on('message', (message: ToThread) => {
    if (message.kind === 'attach') attach(message.port);
    else void end();
  });

  function attach(port: MessagePort): void {
    ports.add(port);
    port.on('close', () => ports.delete(port));
    answerOn(
      port,
      handle,
      () => calls.arrived(),
      error => log.warn('a port said what is no call, and was closed', errorFields(error)),
    );
  }

  async function end(): Promise<void> {
    try {
      // Open ports would keep the thread alive; closing them ends their streams.
      for (const port of ports) port.close();
      await stop();
      tell({ kind: 'stopped' });
    } catch (error) {
      log.error('the store did not close cleanly', errorFields(error));
      tell({ kind: 'stopped' });
    }
    parentPort?.close();
  }
  tell({ kind: 'ready' });
}

try {
  start();
} catch (error) {
  if (!(error instanceof SandglassError)) throw error;
  tell({ kind: 'refused', code: error.code, message: error.message, data: error.data });
  parentPort?.close();
}
