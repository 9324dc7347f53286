import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import { type PagePort, relayToPage } from '../../../electron/desktop/page-relay.ts';
import { READ_RECEIPT } from '../../../shared/model/transport/desktop-ports.ts';

/** A port with the events of Electron's MessagePortMain. */
function asPagePort(port: MessagePort): PagePort {
  return {
    on(event: 'message' | 'close', listener: (event: { data: unknown }) => void) {
      if (event === 'message') port.on('message', data => listener({ data }));
      else port.on('close', () => listener({ data: undefined }));
    },
    postMessage: message => port.postMessage(message),
    start: () => port.start(),
    close: () => port.close(),
  };
}

/** A page and an engine at the ends of a relay, with the messages that each received. */
function relayed() {
  const { port1: page, port2: ofPage } = new MessageChannel();
  const { port1: engine, port2: ofEngine } = new MessageChannel();
  relayToPage(asPagePort(ofPage), ofEngine);
  const atEngine: unknown[] = [];
  const atPage: unknown[] = [];
  engine.on('message', message => atEngine.push(message));
  page.on('message', message => atPage.push(message));
  onTestFinished(() => page.close());
  return { page, engine, atEngine, atPage };
}

it('[V2] the streams of a page that stopped reading are paused, and resumed once it has read all', async () => {
  const { page, engine, atEngine, atPage } = relayed();
  page.postMessage('a call');
  await expect.poll(() => atEngine).toEqual(['a call']);
  for (let i = 0; i < 100; i++) engine.postMessage(`update ${i}`);
  await expect.poll(() => atEngine).toEqual(['a call', { flow: 'pause' }]);
  await expect.poll(() => atPage.length).toBe(100);
  for (let i = 0; i < 99; i++) page.postMessage(READ_RECEIPT);
  page.postMessage('another call');
  await expect.poll(() => atEngine).toEqual(['a call', { flow: 'pause' }, 'another call']);
  page.postMessage(READ_RECEIPT);
  await expect
    .poll(() => atEngine)
    .toEqual(['a call', { flow: 'pause' }, 'another call', { flow: 'resume' }]);
});

it('a page that confirms each message is never paused, and surplus confirmations have no effect', async () => {
  const { page, engine, atEngine, atPage } = relayed();
  page.on('message', () => page.postMessage(READ_RECEIPT));
  for (let i = 0; i < 200; i++) {
    engine.postMessage(i);
    if (i % 20 === 0) await expect.poll(() => atPage.length).toBe(i + 1);
  }
  await expect.poll(() => atPage.length).toBe(200);
  expect(atEngine).toEqual([]);
  page.removeAllListeners('message');
  for (let i = 0; i < 1_000; i++) page.postMessage(READ_RECEIPT);
  page.postMessage('call');
  await expect.poll(() => atEngine).toEqual(['call']);
  for (let i = 0; i < 64; i++) engine.postMessage(i);
  await expect.poll(() => atEngine).toEqual(['call', { flow: 'pause' }]);
});
