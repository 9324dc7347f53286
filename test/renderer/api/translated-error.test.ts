import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  noSuchCollection,
  noSuchDocument,
} from '../../../electron/engine/backends/embedded/catalog/not-found.ts';
import { diskFull } from '../../../electron/engine/files/file-system-space.ts';
import type { Language } from '../../../renderer/i18n/language.ts';
import { SandglassError } from '../../../shared/model/errors.ts';
import { checkName } from '../../../shared/model/names.ts';
import { noSuchIndex } from '../../../shared/model/ttl-index.ts';

/** Returns the message that a window in this language shows for an error of the engine. */
async function messageIn(language: Language, { code, message, data }: SandglassError): Promise<string> {
  localStorage.setItem('sandglass.language', language);
  const { problemOf } = await import('../../../renderer/api/problem.ts');
  const { ORPCError: Loaded } = await import('@orpc/client');
  return problemOf(new Loaded(code, { message, data })).message;
}

function invalidName(name: string): SandglassError {
  try {
    checkName('collection', name);
  } catch (error) {
    if (error instanceof SandglassError) return error;
  }
  throw new Error(`${name} is a valid name.`);
}

beforeEach(() => vi.resetModules());
afterEach(() => localStorage.removeItem('sandglass.language'));

describe('an error of the engine', () => {
  it.each([
    [noSuchCollection('orders'), 'Eine Collection namens orders gibt es nicht.'],
    [noSuchDocument('orders', 'a1'), 'orders hat kein Dokument mit der _id a1.'],
    [noSuchIndex('orders', 'ts_90d'), 'orders hat keinen TTL-Index namens ts_90d.'],
    [
      invalidName('a/b'),
      'Dieser Name ist nicht möglich: Ein Name darf weder „/“ noch Steuerzeichen enthalten.',
    ],
  ])('is in German by its code and data: %s', async (error, message) => {
    expect(await messageIn('de', error)).toBe(message);
  });

  it('has sizes in the language of the window', async () => {
    const message = await messageIn('de', diskFull(import.meta.filename, Number.MAX_SAFE_INTEGER));
    expect(message).toMatch(/^Der Datenträger von translated-error\.test\.ts ist voll: [\d.,]+ .B sind frei/);
  });

  it('has the sentence of the engine in English, and win this collection that sentence names the cause', async () => {
    const error = noSuchCollection('orders');
    expect(await messageIn('en', error)).toBe(error.message);
    const filter = new SandglassError('INVALID_FILTER', 'Unknown function: foo.');
    vi.resetModules();
    expect(await messageIn('de', filter)).toBe(filter.message);
  });
});
