import { describe, expect, it } from 'vitest';
import {
  parsePostgresUri,
  publicPostgresUri,
} from '../../../../../electron/engine/backends/postgresql/connection/postgres-uri.ts';

const target = {
  host: 'db',
  port: 5432,
  user: 'postgres',
  password: null,
  database: 'postgres',
  sslMode: 'prefer',
};

describe('an address of PostgreSQL', () => {
  it.each([
    [' postgresql://db\n', target],
    ['postgres://DB/', target],
    ['postgresql://ada@db', { ...target, user: 'ada', database: 'ada' }],
    [
      'postgresql://ada:p%40ss%2F@[::1]:5433/my%20data?sslmode=verify-full&application_name=x',
      {
        host: '::1',
        port: 5433,
        user: 'ada',
        password: 'p@ss/',
        database: 'my data',
        sslMode: 'verify-full',
      },
    ],
  ])('%s', (uri, read) => {
    expect(parsePostgresUri(uri)).toEqual(read);
  });

  it('is shown without its password, and reads back as the same target', () => {
    const read = parsePostgresUri('postgres://a%40b:secret@[::1]/my%2Fdata?sslmode=require');
    const shown = publicPostgresUri(read);
    expect(shown).toBe('postgresql://a%40b@[::1]:5432/my%2Fdata?sslmode=require');
    expect(parsePostgresUri(shown)).toEqual({ ...read, password: null });
  });

  it.each([
    ['db:5432', /cannot be read/],
    ['mysql://ada:secret@db', /begins with postgresql:\/\/.*not mysql/],
    ['postgresql://', /cannot be read/],
    ['postgresql://ada:secret@a,b/x', /has one host/],
    ['postgresql://ada:secret@db:70000', /at most 65535/],
    ['postgresql://ada:secret#x@db', /percent-encoded/],
    ['postgresql://ada:secret@127.0.0.1\\@evil/x', /cannot be read/],
    ['postgresql://ada:secret%@db', /encodes nothing/],
    ['postgresql://ada:secret@db/%zz', /database has a % that encodes nothing/],
    ['postgresql://ada:secret@db/x?sslmode=yes', /sslmode is one of/],
    ['postgresql://ada:secret@db/x?host=evil', /parameter "host"/],
    ['postgresql://ada:secret@db/x?sslkey=/etc/key', /parameter "sslkey"/],
  ])('such as %s is refused with the valid form, without repeating its password', (uri, message) => {
    const parse = () => parsePostgresUri(uri);
    expect(parse).toThrow(
      expect.objectContaining({
        code: 'INVALID_CONNECTION',
        message: expect.stringMatching(message),
        data: { field: 'uri' },
      }),
    );
    expect(parse).toThrow(/Write postgresql:\/\/USER:PASSWORD@HOST:PORT\/DATABASE/);
    expect(parse).not.toThrow(/secret/);
  });
});
