import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Random } from '../support/random.ts';
import type { Target } from './target.ts';

/** Repeats its work until `isOver`. */
export type Actor = (target: Target, random: Random, isOver: () => boolean) => Promise<void>;

const COLLECTION = '/api/collections/soak';

/** Expensive conditions on a document of the soak: each iterates its list several times. */
const COSTLY = [
  'doc.list.all(a, doc.list.all(b, doc.list.all(c, a + b + c >= 0)))',
  'doc.list.map(a, doc.list.map(b, doc.list.map(c, [a, b, c]))).size() > 0',
  '[[[doc.text, doc.text], [doc.text, doc.text]], [[doc.text]]].map(x, x).size() > 0 && doc.text.matches("(a+)+$")',
  '(doc.text + doc.text + doc.text + doc.text).split("").join(",").size() > 3',
  'doc.list.map(a, doc.text + doc.text).join(",").contains("q")',
];
const COSTLY_DEADLINE =
  'doc.list.all(a, doc.list.all(b, doc.text.contains("z") || a + b >= 0)) ? updatedAt + duration("10s") : null';

/** Writes documents without a deadline and adds each acknowledged `_id` to `acknowledged`: none may be missing at the end. */
export function keeper(acknowledged: Set<string>): Actor {
  let made = 0;
  return async (target, random, isOver) => {
    while (!isOver()) {
      const id = `kept-${++made}-${random.between(0, 1e9)}`;
      const answer = await target.request('PUT', `${COLLECTION}/documents/${id}`, { body: '{"kept": true}' });
      if (answer !== null && answer.status < 300) acknowledged.add(id);
      await wait(20);
    }
  };
}

/** Writes documents that expire within `aheadMs`, some hundred at a time. */
export function importer(aheadMs: number): Actor {
  return async (target, random, isOver) => {
    while (!isOver()) {
      const now = Date.now();
      const lines = Array.from({ length: random.between(50, 500) }, () =>
        JSON.stringify({
          exp: now + random.between(100, aheadMs),
          list: Array.from({ length: 40 }, (_, i) => i),
          text: 'a'.repeat(random.between(0, 2_000)),
        }),
      );
      await target.request('POST', `${COLLECTION}/documents`, {
        body: `${lines.join('\n')}\n`,
        type: 'application/x-ndjson',
      });
      await wait(random.between(50, 250));
    }
  };
}

export const reader: Actor = async (target, random, isOver) => {
  const paths = [
    '/api/collections',
    `${COLLECTION}/documents?limit=50`,
    `/api/timeline?collection=soak&from=${Date.now()}&to=${Date.now() + 60_000}&buckets=60`,
    '/api/reaper',
    '/api/metrics',
    '/api/expired?limit=20',
    '/metrics',
  ];
  while (!isOver()) {
    await target.read(random.pick(paths));
    await wait(50);
  }
};

/** Sends scans and previews with expressions at the allowed cost. */
export const costlyReader: Actor = async (target, random, isOver) => {
  while (!isOver()) {
    const condition = encodeURIComponent(random.pick(COSTLY));
    await target.request('GET', `${COLLECTION}/documents?limit=100&cel=${condition}`);
    if (random.chance(0.3))
      await target.request('POST', `${COLLECTION}/ttl-indexes/preview`, {
        body: JSON.stringify({ source: { kind: 'expression', expression: COSTLY_DEADLINE } }),
      });
    await wait(100);
  }
};

/** Creates and drops an index with an expensive expression. */
export const definer: Actor = async (target, random, isOver) => {
  while (!isOver()) {
    const name = `costly ${random.between(1, 3)}`;
    await target.request('POST', `${COLLECTION}/ttl-indexes`, {
      body: JSON.stringify({ name, source: { kind: 'expression', expression: COSTLY_DEADLINE } }),
    });
    await wait(random.between(1_000, 4_000));
    await target.request('DELETE', `${COLLECTION}/ttl-indexes/${encodeURIComponent(name)}`);
    await wait(500);
  }
};

/** Opens streams without reading them, sends bodies slowly, and attempts upgrades that are refused. */
export const abuser: Actor = async (target, random, isOver) => {
  while (!isOver()) {
    const { host } = target;
    if (host === null) {
      await wait(200);
      continue;
    }
    const { port } = new URL(host.origin);
    const head = random.pick([
      `GET /api/live HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${host.token}\r\n\r\n`,
      `GET /api/events?from=1 HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${host.token}\r\n\r\n`,
      `POST /api/collections HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 50000000\r\n\r\n{`,
      `GET /rpc HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
      `GET /nonsense`,
    ]);
    const socket = connect(Number(port), '127.0.0.1');
    // The host is expected to close these connections.
    socket.on('error', () => {});
    socket.on('connect', () => socket.write(head));
    socket.pause();
    await wait(random.between(100, 1_500));
    socket.destroy();
  }
};

/** Sends large bodies with a token that may only read: each is refused at once. */
export function largeBodies(readToken: () => string | null): Actor {
  return async (target, random, isOver) => {
    const body = `{"name": "${'x'.repeat(random.between(1, 20) * 1_000_000)}"}`;
    while (!isOver()) {
      const token = readToken();
      if (token !== null) {
        // The host may answer and close the connection before the whole body was sent: `fetch` then fails.
        const { host } = target;
        if (host !== null)
          await fetch(`${host.origin}/api/collections`, {
            method: 'POST',
            headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
            body,
          }).then(
            answer => {
              if (answer.status < 400 || answer.status >= 500)
                target.complain(`a large body without permission was answered ${answer.status}`);
              return answer.text();
            },
            () => '',
          );
      }
      await wait(random.between(500, 2_000));
    }
  };
}
