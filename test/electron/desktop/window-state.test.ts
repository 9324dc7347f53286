import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isOnScreen, readWindowState, writeWindowState } from '../../../electron/desktop/window-state.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandglass-window-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const bounds = { x: 10, y: 20, width: 900, height: 600 };

describe('the window’s position', () => {
  it('is stored in a folder that is created if missing', () => {
    const file = join(folder, 'deep', 'window.json');
    writeWindowState(file, { bounds, maximized: true });
    expect(readWindowState(file)).toEqual({ bounds, maximized: true });
  });

  it.each([
    'nonsense',
    '[]',
    'null',
    '{}',
    '{"bounds":null}',
    '{"bounds":{"x":1,"y":2,"width":"900","height":600}}',
    '{"bounds":{"x":1,"y":2.5,"width":900,"height":600}}',
  ])('is ignored if the file contains %s', text => {
    const file = join(folder, 'window.json');
    writeFileSync(file, text);
    expect(readWindowState(file)).toBeUndefined();
  });

  it('is undefined where there is no file', () => {
    expect(readWindowState(join(folder, 'none.json'))).toBeUndefined();
  });
});

describe('isOnScreen of a window', () => {
  const left = { x: -1600, y: 0, width: 1600, height: 900 };
  const main = { x: 0, y: 25, width: 1280, height: 775 };
  it.each([
    ['in the middle of one', { x: 100, y: 100 }, true],
    ['on the screen to the left', { x: -1500, y: 10 }, true],
    ['across two screens', { x: -400, y: 30 }, true],
    ['with a corner of its top edge that can be dragged', { x: 1160, y: 700 }, true],
    ['with a narrow strip only', { x: 1200, y: 100 }, false],
    ['with its top edge under the menu bar', { x: 100, y: 0 }, false],
    ['below all of them', { x: 100, y: 790 }, false],
    ['outside, after a screen was disconnected', { x: 4000, y: 100 }, false],
  ])('%s, %j: %s', (_where, place, expected) => {
    expect(isOnScreen({ ...bounds, ...place }, [left, main])).toBe(expected);
  });
});
