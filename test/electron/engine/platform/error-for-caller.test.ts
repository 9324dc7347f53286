import { describe, expect, it } from 'vitest';
import { errorForCaller } from '../../../../electron/engine/platform/defect.ts';
import { createLogger } from '../../../../electron/engine/platform/logger.ts';
import { deserializeError, serializeError } from '../../../../electron/engine/protocol/thread-messages.ts';

const log = createLogger('silent', () => 0);
const withCode = (code: string) => Object.assign(new Error('it failed'), { code });

describe('the error that a caller gets', () => {
  it.each([
    ['SQLITE_IOERR_READ', 'IO_ERROR'],
    ['SQLITE_IOERR_SHMMAP', 'IO_ERROR'],
    ['SQLITE_CANTOPEN', 'IO_ERROR'],
    ['SQLITE_READONLY_DBMOVED', 'IO_ERROR'],
    ['EIO', 'IO_ERROR'],
    ['EROFS', 'IO_ERROR'],
    ['SQLITE_CORRUPT', 'STORE_UNREADABLE'],
    ['SQLITE_NOTADB', 'STORE_UNREADABLE'],
    ['SQLITE_ERROR', 'INTERNAL_SERVER_ERROR'],
    ['SQLITE_CONSTRAINT_UNIQUE', 'INTERNAL_SERVER_ERROR'],
  ])('%s is told as %s, also from another thread', (code, told) => {
    for (const error of [withCode(code), deserializeError(serializeError(withCode(code)))])
      expect(errorForCaller(log, 'The call', error)).toMatchObject({ code: told });
  });
});
