import { describe, expect, it } from 'vitest';
import {
  parseEtcdUri,
  publicEtcdUri,
} from '../../../../../electron/engine/backends/etcd/connection/etcd-uri.ts';

describe('an address of etcd', () => {
  it('names members, user, password and prefix', () => {
    expect(parseEtcdUri('etcds://ada:p%40ss@one:2379,two:4001,[::1]/?prefix=/app%20a/')).toEqual({
      endpoints: ['one:2379', 'two:4001', '[::1]:2379'],
      tls: true,
      user: 'ada',
      password: 'p@ss',
      prefix: '/app a/',
    });
  });

  it('needs a host only', () => {
    expect(parseEtcdUri(' etcd://localhost ')).toEqual({
      endpoints: ['localhost:2379'],
      tls: false,
      user: null,
      password: null,
      prefix: '',
    });
  });

  it('is shown without its password, and reads back as the same target', () => {
    const target = parseEtcdUri('etcd://ada:secret@one,two:4001/?prefix=/app%20a/');
    const shown = publicEtcdUri(target);
    expect(shown).toBe('etcd://ada@one:2379,two:4001/?prefix=/app%20a/');
    expect(parseEtcdUri(shown)).toEqual({ ...target, password: null });
  });

  it.each([
    ['http://ada:secret@host', /begins with etcd:\/\//],
    ['etcd://', /cannot be read/],
    ['etcd://one,,two', /host is missing/],
    ['etcd://host:99999', /at most 65535/],
    ['etcd://ada:secret@host/path', /only \/\?prefix/],
    ['etcd://ada:secret@host\\\\.evil', /host is missing, or cannot be read/],
    ['etcd://ada:secret@host/?database=1', /only prefix/],
    ['etcd://ada:secret%@host', /encodes nothing/],
    ['host:2379', /cannot be read/],
  ])('such as %s is refused, without repeating its password', (text, message) => {
    const parse = () => parseEtcdUri(text);
    expect(parse).toThrow(
      expect.objectContaining({ code: 'INVALID_CONNECTION', message: expect.stringMatching(message) }),
    );
    expect(parse).not.toThrow(/secret/);
  });
});
