import { Segmented } from '../../components/controls/Segmented.tsx';
import { useZone } from '../../components/time/clock.ts';
import { setTheme, useTheme } from '../../theme/theme.ts';

const THEME_SEGMENTS = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const;
const ZONE_SEGMENTS = [
  { value: 'utc', label: 'UTC' },
  { value: 'local', label: 'Local' },
] as const;

/** Stored in this browser or on this machine. */
export function Appearance() {
  const theme = useTheme();
  const [zone, setZone] = useZone();
  return (
    <section className="settings-group" aria-label="Appearance">
      <h2 className="t-semi">Appearance</h2>
      <p className="t-2 settings-about">Stored on this machine, for all stores.</p>
      <div className="setting">
        <span className="setting-label">Theme</span>
        <div className="setting-control">
          <Segmented label="Theme" value={theme} segments={THEME_SEGMENTS} onChange={setTheme} />
        </div>
        <p className="setting-means hint">Ctrl ⇧ L switches.</p>
      </div>
      <div className="setting">
        <span className="setting-label">Times in</span>
        <div className="setting-control">
          <Segmented label="Times in" value={zone} segments={ZONE_SEGMENTS} onChange={setZone} />
        </div>
        <p className="setting-means hint">
          Everywhere in the window. Here, local is {Intl.DateTimeFormat().resolvedOptions().timeZone}. Ctrl ⇧
          U switches.
        </p>
      </div>
    </section>
  );
}
