import { describe, expect, it } from 'vitest';
import { checkName, nameProblem } from '../../../shared/model/names.ts';

describe('a name', () => {
  it.each(['.', '..'])('[C1] is not “%s”, which a URL drops from its path', name => {
    expect(new URL(`http://host/api/collections/${encodeURIComponent(name)}`).pathname).not.toContain(name);
    expect(nameProblem(name)).toContain(`“${name}”`);
    expect(() => checkName('collection', name)).toThrow('address');
    expect(() => checkName('index', name)).toThrow(expect.objectContaining({ code: 'INVALID_NAME' }));
  });

  it.each(['...', '.a', 'a.b', 'a..', '%2e', ' '])('[C1] may be “%s”', name => {
    expect(nameProblem(name)).toBeNull();
    const { pathname } = new URL(`http://host/api/collections/${encodeURIComponent(name)}`);
    expect(decodeURIComponent(pathname.slice('/api/collections/'.length))).toBe(name);
  });
});
