import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { RefusedBody } from '../../../electron/web/answer/refused-body.ts';
import { answerFailure } from '../../../electron/web/answer/response.ts';
import {
  BUFFERED_PACE,
  bodyChunks,
  type Pace,
  STREAMED_PACE,
} from '../../../electron/web/body/body-chunks.ts';
import { createManualClock } from '../../support/manual-clock.ts';

/** Starts a server that reads bodies at `pace`, on a manual clock. */
async function reading(pace: Pace) {
  const clock = createManualClock(0);
  const seen = { bytes: 0 };
  const server = createServer(async (request, response) => {
    try {
      for await (const chunk of bodyChunks(request, response, { clock, pace })) seen.bytes += chunk.length;
      response.end('whole');
    } catch (error) {
      if (!(error instanceof RefusedBody)) throw error;
      answerFailure(response, error.failure);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  const port = typeof bound === 'object' ? (bound?.port ?? 0) : 0;
  const socket: Socket = connect(port, '127.0.0.1');
  let heard = '';
  socket.setEncoding('latin1').on('data', part => (heard += part));
  onTestFinished(() => {
    socket.destroy();
    server.close();
  });
  socket.write('POST / HTTP/1.1\r\nhost: here\r\ncontent-length: 100000\r\n\r\n');
  const send = async (bytes: number) => {
    const before = seen.bytes;
    socket.write('x'.repeat(bytes));
    await expect.poll(() => seen.bytes).toBe(before + bytes);
  };
  await send(1);
  return { clock, send, heard: () => heard };
}

it.each([
  ['a body that is buffered in memory', BUFFERED_PACE],
  ['a body that is written as it arrives', STREAMED_PACE],
])(
  '%s is refused with 408 when fewer bytes than its pace arrive in a span, and not before',
  async (_, pace) => {
    const { clock, send, heard } = await reading(pace);
    for (let span = 0; span < 2; span++) {
      await send(pace.leastBytes);
      clock.advance(pace.spanMs);
      expect(heard()).toBe('');
    }
    if (pace.leastBytes > 1) await send(pace.leastBytes - 1);
    clock.advance(pace.spanMs - 1);
    await new Promise(resolve => setTimeout(resolve, 20));
    expect(heard()).toBe('');
    clock.advance(1);
    await expect.poll(heard).toMatch(/^HTTP\/1\.1 408 [\s\S]*REQUEST_TIMEOUT/);
  },
);
