import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { callerAddressOf, networksOf } from '../../../electron/web/authentication/forwarded-headers.ts';
import { createOriginCheck, isLoopback } from '../../../electron/web/authentication/request-origin.ts';

function request(headers: Record<string, string>, remoteAddress = '127.0.0.1'): IncomingMessage {
  const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress });
  return Object.assign(new IncomingMessage(socket), { headers });
}

describe('the check of Host and Origin', () => {
  const check = createOriginCheck('127.0.0.1');

  it.each(['127.0.0.1:7263', 'localhost:7263', '[::1]:7263', 'LOCALHOST', 'localhost:9000'])(
    'accepts Host %s: this machine, also through a tunnel on another port',
    host => {
      expect(check(request({ host }))).toBe('ok');
    },
  );

  it.each([
    'evil.example:7263',
    '10.0.0.5:7263',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    '',
    'a b',
  ])('refuses Host “%s”: another name that resolves to this machine (DNS rebinding)', host => {
    expect(check(request({ host }))).toBe('wrong host');
  });

  it('refuses a request without Host', () => {
    expect(check(request({}))).toBe('wrong host');
  });

  it('accepts a page of the same origin, and none of another site, port or scheme', () => {
    const host = '127.0.0.1:7263';
    expect(check(request({ host, origin: 'http://127.0.0.1:7263' }))).toBe('ok');
    for (const origin of ['http://evil.example', 'http://127.0.0.1:80', 'https://127.0.0.1:7263', 'null']) {
      expect(check(request({ host, origin }))).toBe('wrong origin');
    }
  });

  it('accepts the name given to --host, and any IP address where the server listens on all', () => {
    expect(createOriginCheck('box.lan')(request({ host: 'box.lan:7263' }))).toBe('ok');
    expect(createOriginCheck('fd00::1')(request({ host: '[fd00::1]:7263' }))).toBe('ok');
    expect(createOriginCheck('0.0.0.0')(request({ host: '10.0.0.5:7263' }))).toBe('ok');
    expect(createOriginCheck('0.0.0.0')(request({ host: 'evil.example' }))).toBe('wrong host');
  });

  it('accepts pages and the name of a public URL, on any listening address', () => {
    const publicUrls = [new URL('https://ttl.example.com'), new URL('http://sandglass:7263')];
    const behind = createOriginCheck('0.0.0.0', { publicUrls });
    const host = 'ttl.example.com';
    expect(behind(request({ host, origin: 'https://ttl.example.com' }))).toBe('ok');
    expect(behind(request({ host: 'sandglass:7263' }))).toBe('ok');
    // A proxy that sends the upstream's name as Host.
    expect(behind(request({ host: '127.0.0.1:7263', origin: 'https://ttl.example.com' }))).toBe('ok');
    expect(behind(request({ host, origin: 'https://evil.example' }))).toBe('wrong origin');
    expect(behind(request({ host: 'evil.example', origin: 'https://ttl.example.com' }))).toBe('wrong host');
    expect(createOriginCheck('127.0.0.1')(request({ host }))).toBe('wrong host');
  });

  it('uses the forwarded headers of a trusted proxy, and of no other sender', () => {
    const trustedProxies = networksOf(['10.0.0.0/8', 'fd00::/8']);
    if (trustedProxies === undefined) throw new Error('no networks');
    const publicUrls = [new URL('https://ttl.example.com')];
    const check = createOriginCheck('0.0.0.0', { publicUrls, trustedProxies, onlyProxies: true });
    const forwarded = {
      host: 'upstream',
      'x-forwarded-host': 'ttl.example.com',
      'x-forwarded-proto': 'https',
    };
    expect(check(request(forwarded, '10.1.2.3'))).toBe('ok');
    expect(check(request(forwarded, '::ffff:10.1.2.3'))).toBe('ok');
    expect(check(request(forwarded, '192.0.2.7'))).toBe('wrong address');
    expect(check(request({ host: 'localhost' }, '127.0.0.1'))).toBe('ok');
    expect(createOriginCheck('0.0.0.0', { publicUrls })(request(forwarded, '10.1.2.3'))).toBe('wrong host');
    const chain = { 'x-forwarded-for': '203.0.113.9, 198.51.100.4, 10.9.9.9' };
    expect(callerAddressOf(request(chain, '10.1.2.3'), trustedProxies)).toMatchObject({
      address: '198.51.100.4',
    });
    expect(callerAddressOf(request(chain, '192.0.2.7'), trustedProxies)).toMatchObject({
      address: '192.0.2.7',
    });
  });

  it('recognizes addresses that only this machine can reach', () => {
    expect(['127.0.0.1', '127.8.9.1', 'localhost', '::1'].every(isLoopback)).toBe(true);
    expect(['0.0.0.0', '::', '10.0.0.5', 'box.lan'].some(isLoopback)).toBe(false);
  });
});
