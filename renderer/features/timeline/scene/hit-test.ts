import { instantAt } from '../../../components/canvas-chart/plot.ts';
import { bucketAt, type Slots } from '../model/buckets.ts';
import type { Scene } from './scene.ts';

/** The part under the pointer. */
export type Hit =
  | { readonly kind: 'bucket'; readonly fromAt: number; readonly toAt: number }
  | { readonly kind: 'overdue' }
  /** The flag of now at an edge. */
  | { readonly kind: 'backToNow' };

/** Width of the area beside the narrow overdue stack that belongs to it, CSS pixels. */
const SLACK = 3;

export function hitTest(scene: Scene, slots: Slots, x: number, y: number): Hit | null {
  const { nowFlag, overdue, view } = scene;
  if (nowFlag.place !== 'line' && y < 21 && x >= nowFlag.x && x <= nowFlag.x + nowFlag.width)
    return { kind: 'backToNow' };
  const { left, right, top, bottom } = view.plot;
  if (x <= left || x >= right || y < top || y > bottom) return null;
  const inStack =
    overdue !== null &&
    x >= overdue.x - SLACK &&
    x <= overdue.x + overdue.width + 1 &&
    y >= Math.min(overdue.y, bottom - 12);
  if (inStack) return { kind: 'overdue' };
  return { kind: 'bucket', ...bucketAt(slots, instantAt(view, x)) };
}
