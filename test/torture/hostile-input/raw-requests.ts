import { connect } from 'node:net';
import type { Random } from '../../support/random.ts';
import { hostileText, mutated } from './grammars/text.ts';
import type { Victim } from './victim.ts';

const LONGEST_ANSWER_MS = 20_000;

const LINES = [
  'GET /api/store HTTP/1.1',
  'POST /api/collections HTTP/1.1',
  'GET /api/store HTTP/9.9',
  'GET  HTTP/1.1',
  'get /api HTTP/1.1',
  'GET http://x/api/store HTTP/1.1',
  'CONNECT x:1 HTTP/1.1',
  '\u0016\u0003\u0001',
  'PRI * HTTP/2.0',
  'GET /api/../../x HTTP/1.1',
  'GET * HTTP/1.1',
];
const HEADERS = [
  'content-length: 5',
  'content-length: -1',
  'content-length: 5\r\ncontent-length: 6',
  'transfer-encoding: chunked',
  'transfer-encoding: chunked\r\ncontent-length: 3',
  'transfer-encoding: x',
  'connection: upgrade\r\nupgrade: websocket',
  'connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: x',
  'host: a\r\nhost: b',
  ' folded: x',
  'x',
  ': x',
  'x\u0000: y',
];
const BODIES = [
  '',
  '{}',
  'hello',
  '5\r\nhello\r\n0\r\n\r\n',
  'zz\r\n',
  '-1\r\nx\r\n',
  'ffffffffffffffff\r\n',
  '0\r\nx: y\r\n\r\n',
];

/** Bytes that are no HTTP, or nearly HTTP. */
export function rawRequest(random: Random, { host }: Victim): Buffer {
  const headers = [
    ...(random.chance(0.8) ? [`host: ${new URL(host.origin).host}`] : []),
    ...(random.chance(0.7) ? [`authorization: Bearer ${host.token}`] : []),
    ...Array.from({ length: random.between(0, 3) }, () => random.pick(HEADERS)),
    ...(random.chance(0.05) ? [`x-long: ${'x'.repeat(random.pick([8_000, 20_000, 200_000]))}`] : []),
    'connection: close',
  ];
  const text = `${random.pick(LINES)}\r\n${headers.join('\r\n')}\r\n\r\n${random.pick(BODIES)}`;
  const whole = random.chance(0.1) ? hostileText(random) : random.chance(0.4) ? mutated(random, text) : text;
  return Buffer.from(whole, 'latin1');
}

/** Sends bytes on a connection of their own. Returns what is wrong with the answer; null: nothing. */
export function sendRaw({ host }: Victim, bytes: Buffer): Promise<string | null> {
  const { hostname, port } = new URL(host.origin);
  return new Promise(resolve => {
    const chunks: Buffer[] = [];
    const socket = connect({ host: hostname, port: Number(port) });
    // The host would wait for the rest of a request; its end is the answer that matters.
    socket.on('connect', () => socket.end(bytes));
    socket.on('data', chunk => chunks.push(chunk));
    // A refusal may reset the connection while the rest is being sent.
    socket.on('error', () => socket.destroy());
    socket.setTimeout(LONGEST_ANSWER_MS, () => {
      resolve(`no answer and no end within ${LONGEST_ANSWER_MS} ms`);
      socket.destroy();
    });
    socket.on('close', () => {
      const text = Buffer.concat(chunks).toString('latin1');
      const [, status] = /^HTTP\/1\.1 (\d+)/.exec(text) ?? [];
      if (text === '' || (status !== undefined && Number(status) < 500)) resolve(null);
      else resolve(`answered ${text.slice(0, 200)}`);
    });
  });
}
