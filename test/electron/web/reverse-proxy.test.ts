import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { freePort } from '../../support/free-port.ts';
import { findNginx } from '../../support/nginx.mjs';
import { runsHere } from '../../support/runs-here.ts';
import { fetchFrom, startServedHost } from '../../support/served-host.ts';
import { temporaryFolder } from '../../support/temporary.ts';

const NAME = 'ttl.example.test';
const PATIENCE_MS = 60_000;

function hasOpenssl(): boolean {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
const canMakeCertificates = runsHere('TLS', hasOpenssl() ? undefined : 'needs openssl to make a certificate');
const nginx = findNginx();
const hasProxy = runsHere('a real nginx in front', nginx === undefined ? 'needs nginx' : undefined);

/** Creates a certificate for NAME and this machine, valid for one day, and its key. */
function certificate(): { cert: string; key: string } {
  const folder = temporaryFolder();
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const words = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '1',
  ];
  const subject = [
    '-subj',
    `/CN=${NAME}`,
    '-addext',
    `subjectAltName=DNS:${NAME},DNS:localhost,IP:127.0.0.1`,
  ];
  execFileSync('openssl', [...words, ...subject, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  return { cert, key };
}

interface Asking {
  port: number;
  cert: string;
  path: string;
  headers?: Record<string, string>;
}

/** Sends a request over TLS to this machine, with the public name. */
function askTls({ port, cert, path, headers = {} }: Asking): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        path,
        servername: NAME,
        ca: readFileSync(cert),
        headers: { host: `${NAME}:${port}`, ...headers },
        agent: false,
      },
      response => {
        let text = '';
        response.setEncoding('utf8').on('data', chunk => {
          text += chunk;
          // A stream has no end: the response up to its first event is enough.
          if (text.includes('event:') || text.includes('data:')) response.destroy();
        });
        response.on('close', () => resolve({ status: response.statusCode ?? 0, text }));
      },
    );
    sent.on('error', reject).end();
  });
}

function opensSocket(port: number, cert: string, token: string, origin: string): Promise<boolean> {
  const socket = new WebSocket(`wss://127.0.0.1:${port}/rpc`, [`sandglass.${token}`], {
    ca: readFileSync(cert),
    headers: { host: `${NAME}:${port}`, origin },
  });
  onTestFinished(() => socket.terminate());
  return new Promise(resolve => {
    socket.on('error', () => resolve(false));
    socket.on('open', () => socket.send('{"i":"1","p":{"u":"/store/info"}}'));
    socket.on('message', () => resolve(true));
  });
}

describe('a host that other machines reach', () => {
  it('refuses to listen beyond this machine without TLS, unless with --insecure', {
    timeout: PATIENCE_MS,
  }, async () => {
    const starts = (flags: readonly string[]) => startServedHost({ flags });
    const all = ['--host', '0.0.0.0'];
    await expect(starts(all)).rejects.toThrow(
      /code 1:\nWithout TLS, others on the network could read the token/,
    );
    await expect(starts([...all, '--trusted-proxy', '10.0.0.0/8'])).rejects.toThrow(
      /others on the network could read/,
    );
    await expect(
      starts([...all, '--trusted-proxy', '10.0.0.0/8', '--public-url', `http://${NAME}`]),
    ).rejects.toThrow(/others on the network could read/);
    const proxied = await starts([
      ...all,
      '--trusted-proxy',
      '10.0.0.0/8',
      '--public-url',
      `https://${NAME}`,
    ]);
    onTestFinished(async () => void (await proxied.stop()));
    expect((await fetchFrom(proxied, 'GET', '/api/store')).status).toBe(200);
    expect(await (await fetch(`${proxied.origin}/healthz`)).text()).toBe('ok\n');
    const foreign = await new Promise<number | undefined>(resolve => {
      const { port } = new URL(proxied.origin);
      const headers = { host: 'evil.example', authorization: `Bearer ${proxied.token}` };
      httpRequest({ port, path: '/api/store', headers }, response => resolve(response.statusCode)).end();
    });
    expect(foreign).toBe(403);
    const audit = () => readFileSync(join(proxied.folder, 'test.sandglass-audit.jsonl'), 'utf8');
    await expect.poll(audit, { timeout: 5_000 }).toContain('"reason":"wrong host"');
  });

  it.runIf(canMakeCertificates)(
    'serves TLS itself, to the page, its socket and programs',
    { timeout: PATIENCE_MS },
    async () => {
      const { cert, key } = certificate();
      const port = await freePort();
      const host = await startServedHost({
        flags: [
          '--host',
          '0.0.0.0',
          '--tls-cert',
          cert,
          '--tls-key',
          key,
          '--port',
          String(port),
          '--public-url',
          `https://${NAME}:${port}`,
        ],
      });
      onTestFinished(async () => void (await host.stop()));
      expect(host.origin).toBe(`https://127.0.0.1:${port}`);
      const authorization = `Bearer ${host.token}`;
      const origin = `https://${NAME}:${port}`;
      expect((await askTls({ port, cert, path: '/healthz' })).text).toBe('ok\n');
      expect(
        (await askTls({ port, cert, path: '/api/store', headers: { authorization, origin } })).status,
      ).toBe(200);
      expect(
        (
          await askTls({
            port,
            cert,
            path: '/api/store',
            headers: { authorization, origin: `http://${NAME}:${port}` },
          })
        ).status,
      ).toBe(403);
      expect(await opensSocket(port, cert, host.token, origin)).toBe(true);
      expect(await opensSocket(port, cert, host.token, 'https://evil.example')).toBe(false);
    },
  );

  it.runIf(hasProxy && canMakeCertificates)(
    'is reached through a real nginx with TLS as in docs/deploy.md: page, socket and events',
    { timeout: PATIENCE_MS },
    async () => {
      const { cert, key } = certificate();
      const port = await freePort();
      const origin = `https://${NAME}:${port}`;
      const host = await startServedHost({ flags: ['--public-url', origin] });
      onTestFinished(async () => void (await host.stop()));
      const folder = temporaryFolder();
      mkdirSync(join(folder, 'tmp'));
      const deploy = readFileSync(join(import.meta.dirname, '../../../docs/deploy.md'), 'utf8');
      const block = (/```nginx\n([\s\S]*?)```/.exec(deploy)?.[1] ?? 'no block')
        .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
        .replace('ttl.example.com;', `${NAME};`)
        .replace(/ssl_certificate .*;/, `ssl_certificate ${cert};`)
        .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${key};`)
        .replace('http://127.0.0.1:7263', host.origin);
      const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        name => `${name}_temp_path ${folder}/tmp/${name};`,
      );
      writeFileSync(
        join(folder, 'nginx.conf'),
        `daemon off; pid ${folder}/pid; error_log stderr; ${process.getuid?.() === 0 ? 'user root;' : ''} events {} http { access_log off; ${paths.join(' ')} ${block} }`,
      );
      const proxy = spawn(nginx ?? '', ['-p', folder, '-c', join(folder, 'nginx.conf')], {
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let said = '';
      proxy.stderr.on('data', text => (said += String(text)));
      const ended = once(proxy, 'exit');
      onTestFinished(async () => {
        proxy.kill();
        await ended;
      });
      const authorization = `Bearer ${host.token}`;
      const read = (path: string, headers: Record<string, string> = {}) =>
        askTls({ port, cert, path, headers }).catch(() => ({ status: 0, text: said }));
      await expect.poll(async () => (await read('/healthz')).status, { timeout: 10_000 }).toBe(200);
      expect(await read('/api/store', { authorization, origin })).toMatchObject({ status: 200 });
      expect(await read('/api/store', { authorization, origin: 'https://evil.example' })).toMatchObject({
        status: 403,
      });
      expect(await opensSocket(port, cert, host.token, origin)).toBe(true);
      // With buffering, the first event of an open stream would never arrive.
      const live = await read('/api/live', { authorization });
      expect(live).toMatchObject({ status: 200, text: expect.stringContaining('data:') });
    },
  );
});
