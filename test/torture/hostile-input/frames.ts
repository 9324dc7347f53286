import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { SOCKET_PATH, SOCKET_PROTOCOL_PREFIX } from '../../../shared/model/transport/window-socket.ts';
import type { Random } from '../../support/random.ts';
import { anyProcedure, hostileValue, valueFor } from './grammars/calls.ts';
import { hostileText, mutated } from './grammars/text.ts';
import { problemOfError } from './judge.ts';
import type { Victim } from './victim.ts';

/** Frames between two calls that must be answered. */
const BATCH = 20;
const ANSWER_TIMEOUT_MS = 30_000;

const failed = z.object({
  i: z.string(),
  p: z.object({
    s: z.number().min(400),
    b: z.object({ json: z.object({ code: z.string(), status: z.number(), message: z.string() }) }),
  }),
});

/** One message: mostly a call of any procedure with an input near its schema, sometimes no call at all. */
function frame(random: Random, id: string): string | Buffer {
  const { name, input } = anyProcedure(random, 'all');
  const path = random.chance(0.05) ? mutated(random, name.replace('.', '/')) : name.replace('.', '/');
  const body: Record<string, unknown> = { json: valueFor(random, input) };
  if (random.chance(0.1))
    body.meta = random.pick([[[1, 'x']], [[0, 'json']], [[99, '__proto__', 'x']], 'x', [[]]]);
  const call = {
    i: random.chance(0.05) ? random.pick(['', '1', '__proto__']) : id,
    p: {
      u: random.chance(0.03)
        ? random.pick(['', 'x', '/%', 'http://x/', '//', '/documents/list?data={'])
        : `/${path}`,
      b: random.chance(0.9) ? body : hostileValue(random),
      ...(random.chance(0.05) ? { m: random.pick(['GET', 'x', 1, null]) } : {}),
      ...(random.chance(0.05)
        ? {
            h: random.pick([
              { 'content-type': 'multipart/form-data' },
              { 'content-disposition': 'x' },
              [],
              'x',
              { a: [1] },
            ]),
          }
        : {}),
    },
    ...(random.chance(0.03) ? { t: random.pick([2, 3, 4, 99, 'x']) } : {}),
  };
  const text = JSON.stringify(call);
  if (random.chance(0.02))
    return random.pick([hostileText(random), mutated(random, text), '{}', 'null', '[]']);
  if (random.chance(0.02)) return Buffer.from(mutated(random, text), 'latin1');
  return text;
}

/** Sends `count` messages over sockets; one that is no call closes its socket, and a new one is opened. Returns the failures. */
export async function sendFrames(
  victim: Victim,
  random: Random,
  count: number,
  add: (what: 'sent' | 'refused') => void,
): Promise<string[]> {
  const failures: string[] = [];
  for (let sent = 0; sent < count; ) {
    const socket = await openSocket(victim);
    const sentHere = new Map<string, string>();
    let answered = () => {};
    let probe = '';
    socket.on('message', (data: Buffer) => {
      const text = data.toString();
      const problem = problemOf(text);
      if (problem !== null) failures.push(`${problem}, for ${idOf(text, sentHere)}`);
      if (/"s":4\d\d/.test(text)) add('refused');
      if (text.includes(`"i":"${probe}"`)) answered();
    });
    // A message that is no call closes the socket, at times with a reset.
    socket.on('error', () => socket.terminate());
    const closed = once(socket, 'close');
    for (let batch = 0; batch < 10 && sent < count && socket.readyState === WebSocket.OPEN; batch++) {
      for (let i = 0; i < BATCH; i++, sent++) {
        const message = frame(random, String(sent));
        sentHere.set(String(sent), message.toString().slice(0, 400));
        socket.send(message);
        add('sent');
      }
      probe = `probe ${sent}`;
      const isAnswered = new Promise<void>(resolve => (answered = resolve));
      socket.send(JSON.stringify({ i: probe, p: { u: '/store/info', b: {} } }));
      const late = wait(ANSWER_TIMEOUT_MS, 'late' as const, { ref: false });
      if ((await Promise.race([isAnswered, closed, late])) === 'late')
        failures.push(`no answer over a socket, after ${[...sentHere.values()].slice(-BATCH).join('\n')}`);
    }
    socket.terminate();
    await closed;
    if (failures.length > 10) break;
  }
  return failures;
}

async function openSocket({ host }: Victim): Promise<WebSocket> {
  const socket = new WebSocket(host.origin.replace('http', 'ws') + SOCKET_PATH, [
    SOCKET_PROTOCOL_PREFIX + host.token,
  ]);
  await once(socket, 'open');
  return socket;
}

function problemOf(text: string): string | null {
  const read = failed.safeParse(JSON.parse(text));
  return read.success ? problemOfError(read.data.p.b.json) : null;
}

function idOf(text: string, sent: ReadonlyMap<string, string>): string {
  const { data } = z.object({ i: z.string() }).safeParse(JSON.parse(text));
  return sent.get(data?.i ?? '') ?? 'an unknown message';
}
