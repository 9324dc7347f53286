import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Rectangle } from 'electron';
import { replaceFile } from '../engine/files/replace-file.ts';
import { createFolder } from '../engine/files/sync-to-disk.ts';

/** Position of the window when it was last closed. */
export interface WindowState {
  readonly bounds: Rectangle;
  readonly maximized: boolean;
}

/** Part of the window's top edge, in px, that must be on a screen so that the user can drag it. */
const DRAGGABLE = { width: 120, height: 40 };

function isRectangle(value: unknown): value is Rectangle {
  if (typeof value !== 'object' || value === null) return false;
  return ['x', 'y', 'width', 'height'].every(side => Number.isSafeInteger(Reflect.get(value, side)));
}

/** Returns undefined if no valid state is stored. */
export function readWindowState(file: string): WindowState | undefined {
  try {
    const stored: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof stored !== 'object' || stored === null || !('bounds' in stored)) return undefined;
    if (!isRectangle(stored.bounds)) return undefined;
    return { bounds: stored.bounds, maximized: 'maximized' in stored && stored.maximized === true };
  } catch {
    return undefined;
  }
}

/** Replaces the file atomically. */
export function writeWindowState(file: string, state: WindowState): void {
  createFolder(dirname(file));
  replaceFile(file, JSON.stringify(state), { isDurable: false });
}

/** Returns whether the user can drag a window with these bounds: screens may have been unplugged or resized since. */
export function isOnScreen(bounds: Rectangle, workAreas: readonly Rectangle[]): boolean {
  return workAreas.some(area => {
    const width = Math.min(bounds.x + bounds.width, area.x + area.width) - Math.max(bounds.x, area.x);
    const below = area.y + area.height - bounds.y;
    return bounds.y >= area.y && width >= DRAGGABLE.width && below >= DRAGGABLE.height;
  });
}
