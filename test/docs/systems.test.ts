import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetchFrom, type ServedHost, startServedHost } from '../support/served-host.ts';

const text = readFileSync(new URL('../../docs/systems.md', import.meta.url), 'utf8');
const CLI = fileURLToPath(new URL('../../electron/cli/sandglass.ts', import.meta.url));

const blocks = [...text.matchAll(/^```(http|sh) (\S+)\n([\s\S]*?)^```$/gm)].map(
  ([, language = '', name = '', content = '']) => ({ language, name, content }),
);

let host: ServedHost;
/** A follower of the host [V5]. */
let follower: ServedHost;
beforeAll(async () => {
  host = await startServedHost();
  follower = await startServedHost({
    flags: ['--follow', host.origin],
    env: { SANDGLASS_FOLLOW_TOKEN: host.token },
  });
}, 60_000);
afterAll(async () => {
  await follower.stop();
  await host.stop();
});

const SHELL_MS = 50_000;

interface Exchange {
  withinMs: number;
  request: string;
  body: string | undefined;
  status: number;
  answer: string;
}

function exchangesOf(content: string): Exchange[] {
  return content
    .trim()
    .split(/\n\n+/)
    .map(part => {
      const found =
        /^(?:# within (\d+) s\n)?((?:GET|POST|PUT|PATCH|DELETE) (?:follower:)?\/\S+)\n(?:([\s\S]*?)\n)?→ (\d{3})(?: ([\s\S]*))?$/.exec(
          part,
        );
      if (found === null) throw new Error(`this is no example:\n${part}`);
      const [, seconds, request = '', body, status, answer = ''] = found;
      return { withinMs: Number(seconds ?? 0) * 1_000, request, body, status: Number(status), answer };
    });
}

/** Objects and lists may contain more, in this order; a document must be equal. */
function holds(actual: unknown, shown: unknown, key = ''): boolean {
  if (key === 'document') {
    try {
      expect(actual).toEqual(shown);
      return true;
    } catch {
      return false;
    }
  }
  if (Array.isArray(shown)) {
    if (!Array.isArray(actual)) return false;
    if (shown.length === 0) return actual.length === 0;
    let from = 0;
    return shown.every(one => {
      const at = actual.findIndex((candidate, i) => i >= from && holds(candidate, one));
      from = at + 1;
      return at >= 0;
    });
  }
  if (typeof shown === 'object' && shown !== null) {
    if (typeof actual !== 'object' || actual === null) return false;
    const fields = new Map<string, unknown>(Object.entries(actual));
    return Object.entries(shown).every(([name, value]) => holds(fields.get(name), value, name));
  }
  return actual === shown;
}

function isAsShown({ status, answer }: Exchange, given: { status: number; text: string }): boolean {
  if (given.status !== status) return false;
  if (answer === '') return true;
  if (!/^[[{]/.test(answer)) return given.text.includes(answer);
  return holds(JSON.parse(given.text), JSON.parse(answer));
}

async function runExchange(exchange: Exchange): Promise<void> {
  const [method = '', path = ''] = exchange.request.split(' ');
  const headers = exchange.body === undefined ? {} : { 'content-type': 'application/json' };
  const until = performance.now() + exchange.withinMs;
  for (;;) {
    const asked = path.startsWith('follower:') ? follower : host;
    const given = await fetchFrom(asked, method, path.replace('follower:', ''), exchange.body, headers);
    if (isAsShown(exchange, given)) return;
    if (performance.now() > until)
      throw new Error(
        `${exchange.request}\nshown: ${exchange.status} ${exchange.answer}\nfound: ${given.status} ${given.text.slice(0, 3_000)}`,
      );
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}

/** The output contains each line behind `#`, in order. */
async function runShell(content: string): Promise<void> {
  const shown = content.split('\n').flatMap(line => (line.startsWith('# ') ? [line.slice(2)] : []));
  const script = [
    'sandglass() { "$NODE" "$CLI" "$@" --url "$URL"; }',
    ...content.split('\n').filter(line => !line.startsWith('# ')),
  ].join('\n');
  const { stdout } = await promisify(execFile)('sh', ['-ec', `exec 2>&1\n${script}`], {
    cwd: host.folder,
    // A command that does not end fails with its output so far.
    timeout: SHELL_MS,
    env: {
      ...process.env,
      NODE: process.execPath,
      CLI,
      URL: host.origin,
      SANDGLASS_TOKEN: host.token,
      ENV: '',
    },
  }).catch(error => {
    throw new Error(`${error.message}\nwritten:\n${error.stdout}`, { cause: error });
  });
  let rest = stdout;
  for (const line of shown) {
    expect(rest, `of what was written:\n${stdout}`).toContain(line);
    rest = rest.slice(rest.indexOf(line) + line.length);
  }
  expect(shown.length).toBeGreaterThan(0);
}

describe('docs/systems.md', () => {
  it('shows every row of its tables in an example, and has no other', () => {
    const rows = [...text.matchAll(/^\| .* \| `([a-z]+-\d+)` \|$/gm)].map(([, name]) => name);
    expect(rows.length).toBeGreaterThan(40);
    expect(text.match(/^\| /gm)).toHaveLength(rows.length + 5);
    expect([...new Set(rows)].sort()).toEqual(blocks.map(({ name }) => name).sort());
  });

  for (const { language, name, content } of blocks) {
    it(`${name} gives the output that is shown`, async () => {
      if (language === 'sh') await runShell(content);
      else for (const exchange of exchangesOf(content)) await runExchange(exchange);
    }, 60_000);
  }
});
