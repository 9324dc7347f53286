import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { callerCheck, isLoopback } from '../../../electron/web/caller.ts';

function request(headers: Record<string, string>): IncomingMessage {
  return Object.assign(new IncomingMessage(new Socket()), { headers });
}

describe('who may ask', () => {
  const check = callerCheck('127.0.0.1');

  it.each(['127.0.0.1:7263', 'localhost:7263', '[::1]:7263', 'LOCALHOST', 'localhost:9000'])(
    'is whoever asks for %s: this machine, also through a tunnel on another port',
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
  ])('is not who asks for “%s”: a name that was made to lead here (DNS rebinding)', host => {
    expect(check(request({ host }))).toBe('wrong host');
  });

  it('is nobody without a Host', () => {
    expect(check(request({}))).toBe('wrong host');
  });

  it('is a page of our own, and no page of another site, port or scheme', () => {
    const host = '127.0.0.1:7263';
    expect(check(request({ host, origin: 'http://127.0.0.1:7263' }))).toBe('ok');
    for (const origin of ['http://evil.example', 'http://127.0.0.1:80', 'https://127.0.0.1:7263', 'null']) {
      expect(check(request({ host, origin }))).toBe('wrong origin');
    }
  });

  it('is also who asks for the name given to --host, or for any address where all are listened on', () => {
    expect(callerCheck('box.lan')(request({ host: 'box.lan:7263' }))).toBe('ok');
    expect(callerCheck('fd00::1')(request({ host: '[fd00::1]:7263' }))).toBe('ok');
    expect(callerCheck('0.0.0.0')(request({ host: '10.0.0.5:7263' }))).toBe('ok');
    expect(callerCheck('0.0.0.0')(request({ host: 'evil.example' }))).toBe('wrong host');
  });

  it('knows which addresses only this machine can reach', () => {
    expect(['127.0.0.1', '127.8.9.1', 'localhost', '::1'].every(isLoopback)).toBe(true);
    expect(['0.0.0.0', '::', '10.0.0.5', 'box.lan'].some(isLoopback)).toBe(false);
  });
});
