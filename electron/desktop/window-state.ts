import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Rectangle } from 'electron';

/** Where the window was when it was last seen. */
export interface WindowState {
  readonly bounds: Rectangle;
  readonly maximized: boolean;
}

/** So much of the window's top edge must be on a screen for a person to be able to drag it. */
const GRASPABLE = { width: 120, height: 40 };

function isRectangle(value: unknown): value is Rectangle {
  if (typeof value !== 'object' || value === null) return false;
  return ['x', 'y', 'width', 'height'].every(side => Number.isSafeInteger(Reflect.get(value, side)));
}

/** Undefined where nothing was kept, or nothing that can be understood: then the window opens as it does at first. */
export function readWindowState(file: string): WindowState | undefined {
  try {
    const kept: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof kept !== 'object' || kept === null || !('bounds' in kept)) return undefined;
    if (!isRectangle(kept.bounds)) return undefined;
    return { bounds: kept.bounds, maximized: 'maximized' in kept && kept.maximized === true };
  } catch {
    return undefined;
  }
}

/** Written beside and then renamed, so that a crash leaves the old one. */
export function writeWindowState(file: string, state: WindowState): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, JSON.stringify(state));
  renameSync(`${file}.new`, file);
}

/** Whether the window can be grasped at these bounds: screens are unplugged, and their sizes change. */
export function isOnScreen(bounds: Rectangle, workAreas: readonly Rectangle[]): boolean {
  return workAreas.some(area => {
    const width = Math.min(bounds.x + bounds.width, area.x + area.width) - Math.max(bounds.x, area.x);
    const below = area.y + area.height - bounds.y;
    return bounds.y >= area.y && width >= GRASPABLE.width && below >= GRASPABLE.height;
  });
}
