import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { CallCounter } from '../../../../electron/engine/protocol/call-counter.ts';
import { temporaryStoreFile } from '../../../support/temporary.ts';

it('the engine’s thread ends if the store is refused, and so does the reader thread that it started', async () => {
  const storeFile = temporaryStoreFile();
  writeFileSync(storeFile, 'this is no database at all');
  const worker = new Worker(new URL('../../../../electron/engine/engine-thread.ts', import.meta.url), {
    workerData: {
      store: { kind: 'file', file: storeFile },
      logLevel: 'error',
      version: '0.0.0-test',
      user: 'ada',
      endpoint: {},
      readOnly: false,
      sendsAlerts: false,
      calls: new CallCounter().shared,
    },
  });
  const received: unknown[] = [];
  worker.on('message', message => received.push(message));
  const [code] = await once(worker, 'exit');
  expect(code).toBe(0);
  expect(received).toMatchObject([{ kind: 'refused', code: 'STORE_UNREADABLE' }]);
});
