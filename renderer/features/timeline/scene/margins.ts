import type { Margins } from '../../../components/canvas-chart/plot.ts';
import type { Variant } from '../model/timeline-model.ts';

/** Room for the counts of the grid at the left, the ruler above and the axis below. */
const FULL: Margins = { left: 44, right: 12, top: 24, bottom: 22 };
/** Without counts at the grid. */
const MINI: Margins = { ...FULL, left: 12 };

export const marginsOf = (variant: Variant): Margins => (variant === 'mini' ? MINI : FULL);
