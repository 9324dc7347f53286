import { PRESET_NAMES, ZOOM_PRESETS, type Zoom } from './model/zoom.ts';

export function ZoomPresets({ zoom, onZoomChange }: { zoom: Zoom; onZoomChange: (zoom: Zoom) => void }) {
  return (
    <fieldset className="seg" aria-label="Zoom" style={{ border: 0, margin: 0, minWidth: 0 }}>
      {ZOOM_PRESETS.map((preset, index) => (
        <button
          key={preset}
          type="button"
          aria-pressed={zoom === preset}
          aria-keyshortcuts={String(index + 1)}
          title={`Zoom to ${PRESET_NAMES[preset]}  ${index + 1}`}
          onClick={() => onZoomChange(preset)}
        >
          {PRESET_NAMES[preset]}
        </button>
      ))}
    </fieldset>
  );
}
