import { t } from '@lingui/core/macro';
import { Segmented } from '../../components/controls/Segmented.tsx';
import { PRESET_NAMES, ZOOM_PRESETS, type Zoom } from './model/zoom.ts';

const SEGMENTS = ZOOM_PRESETS.map(value => ({ value, label: PRESET_NAMES[value] }));

/** No preset is chosen while the wheel has set another zoom. */
export function ZoomPresets({ zoom, onZoomChange }: { zoom: Zoom; onZoomChange: (zoom: Zoom) => void }) {
  return (
    <Segmented
      label={t`Zoom`}
      value={typeof zoom === 'number' ? null : zoom}
      segments={SEGMENTS}
      onChange={onZoomChange}
    />
  );
}
