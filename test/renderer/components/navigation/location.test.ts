import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  followAddress,
  goTo,
  hrefTo,
  inConnection,
  readPlace,
  toCollection,
  toConnection,
} from '../../../../renderer/components/navigation/location.ts';

describe('the address of a place', () => {
  it.each([
    [['collections', 'sessions', 'documents'], { state: 'soon', dueFrom: 5 }],
    [['collections', 'a b%c?d#e', 'timeline'], { zoom: '1m' }],
    [['overview'], {}],
  ])('is parsed back unchanged: %j %j', (path, query) => {
    const place = readPlace(hrefTo(path, query));
    expect(place.path).toEqual(path);
    expect(Object.fromEntries(place.query)).toEqual(
      Object.fromEntries(Object.entries(query).map(([key, value]) => [key, String(value)])),
    );
  });

  it('leaves out null and undefined', () => {
    expect(toCollection('a', 'documents', { state: null, dueTo: undefined })).toBe(
      '#/collections/a/documents',
    );
  });

  it.each(['', '#', '#/'])('%j is the start page', fragment => {
    expect(readPlace(fragment).path).toEqual([]);
  });

  it('takes a lone percent sign literally', () => {
    expect(readPlace('#/collections/100%').path).toEqual(['collections', '100%']);
  });
});

describe('the address of a place in another connection', () => {
  beforeEach(() => stubAddress('#/overview'));
  afterEach(() => {
    goTo('#/overview');
    vi.unstubAllGlobals();
  });

  /** Replaces the address and the history of a window. */
  function stubAddress(hash: string): void {
    const bar = { hash };
    vi.stubGlobal('location', bar);
    vi.stubGlobal('history', {
      pushState: (_state: unknown, _title: string, href: string) => {
        bar.hash = href;
      },
    });
  }

  it('separates the connection from the path', () => {
    const place = readPlace('#/on/c2/collections/sessions/documents?state=soon');
    expect(place.connection).toBe('c2');
    expect(place.path).toEqual(['collections', 'sessions', 'documents']);
    expect(place.query.get('state')).toBe('soon');
  });

  it.each(['#/overview', '#/collections/on/timeline', '#/on/home/overview', '#/on'])(
    '%s is home',
    fragment => {
      expect(readPlace(fragment).connection).toBeNull();
    },
  );

  it('keeps an id that contains a slash', () => {
    expect(readPlace(toConnection('a/b')).connection).toBe('a/b');
  });

  it('keeps the connection in every link until it changes, and announces the change first', () => {
    stubAddress('#/on/c2/overview');
    const heard: (string | null)[] = [];
    expect(followAddress(id => heard.push(id))).toBe('c2');
    expect(toCollection('a')).toBe('#/on/c2/collections/a/timeline');
    goTo(toCollection('a'));
    expect(heard).toEqual([]);
    goTo(toConnection(null));
    expect(heard).toEqual([null]);
    expect(toCollection('a')).toBe('#/collections/a/timeline');
    goTo(toConnection('c3'));
    expect(heard).toEqual([null, 'c3']);
    expect(hrefTo(['overview'])).toBe('#/on/c3/overview');
  });

  it('separates equal names of two connections', () => {
    followAddress(() => {});
    const home = inConnection('sessions');
    goTo(toConnection('c2'));
    expect(inConnection('sessions')).not.toBe(home);
    expect(home).toBe('sessions');
  });
});
