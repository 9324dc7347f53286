import { describe, expect, it } from 'vitest';
import { hrefTo, readPlace, toCollection } from '../../../renderer/components/location.ts';

describe('the address of a place', () => {
  it.each([
    [['collections', 'sessions', 'documents'], { state: 'soon', dueFrom: 5 }],
    [['collections', 'a b%c?d#e', 'timeline'], { zoom: '1m' }],
    [['overview'], {}],
  ])('comes back as it was: %j %j', (path, query) => {
    const place = readPlace(hrefTo(path, query));
    expect(place.path).toEqual(path);
    expect(Object.fromEntries(place.query)).toEqual(
      Object.fromEntries(Object.entries(query).map(([key, value]) => [key, String(value)])),
    );
  });

  it('leaves out what is not asked', () => {
    expect(toCollection('a', 'documents', { state: null, dueTo: undefined })).toBe(
      '#/collections/a/documents',
    );
  });

  it.each(['', '#', '#/'])('%j is the start', fragment => {
    expect(readPlace(fragment).path).toEqual([]);
  });

  it('takes a lone percent sign for itself', () => {
    expect(readPlace('#/collections/100%').path).toEqual(['collections', '100%']);
  });
});
