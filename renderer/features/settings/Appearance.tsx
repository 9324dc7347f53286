import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Segmented } from '../../components/controls/Segmented.tsx';
import { useZone } from '../../components/time/clock.ts';
import { useKeepsProduction } from '../../state/kept-production.ts';
import { setTheme, useTheme } from '../../theme/theme.ts';
import { LanguageChooser } from './LanguageChooser.tsx';
import classes from './settings.module.css';

const THEME_SEGMENTS = [
  { value: 'system', label: t`System` },
  { value: 'light', label: t`Light` },
  { value: 'dark', label: t`Dark` },
] as const;
const ZONE_SEGMENTS = [
  { value: 'utc', label: 'UTC' },
  { value: 'local', label: t`Local` },
] as const;
const KEEP_SEGMENTS = [
  { value: 'no', label: t`Not kept` },
  { value: 'yes', label: t`Kept` },
] as const;

/** Stored in this browser or on this machine. */
export function Appearance() {
  const theme = useTheme();
  const [zone, setZone] = useZone();
  const [keepsProduction, keepProduction] = useKeepsProduction();
  return (
    <section className={classes.group} aria-label={t`Appearance`}>
      <h2 className="t-semi">{t`Appearance`}</h2>
      <p className={`t-2 ${classes.about}`}>{t`Stored on this machine, for all stores.`}</p>
      <div className={classes.setting}>
        <span className={classes.settingLabel}>{t`Theme`}</span>
        <div className={classes.settingControl}>
          <Segmented label={t`Theme`} value={theme} segments={THEME_SEGMENTS} onChange={setTheme} />
        </div>
        <p className={`${classes.settingMeans} hint`}>{t`Ctrl ⇧ L switches.`}</p>
      </div>
      <div className={classes.setting}>
        <span className={classes.settingLabel}>{t`Language`}</span>
        <div className={classes.settingControl}>
          <LanguageChooser />
        </div>
        <p
          className={`${classes.settingMeans} hint`}
        >{t`A change loads the window again. Unsaved input is kept.`}</p>
      </div>
      <div className={classes.setting}>
        <span className={classes.settingLabel}>{t`Times in`}</span>
        <div className={classes.settingControl}>
          <Segmented label={t`Times in`} value={zone} segments={ZONE_SEGMENTS} onChange={setZone} />
        </div>
        <p className={`${classes.settingMeans} hint`}>
          <Trans>
            Everywhere in the window. Here, local is {Intl.DateTimeFormat().resolvedOptions().timeZone}. Ctrl
            ⇧ U switches.
          </Trans>
        </p>
      </div>
      <div className={classes.setting}>
        <span className={classes.settingLabel}>{t`Drafts of production`}</span>
        <div className={classes.settingControl}>
          <Segmented
            label={t`Drafts of production`}
            value={keepsProduction ? 'yes' : 'no'}
            segments={KEEP_SEGMENTS}
            onChange={kept => keepProduction(kept === 'yes')}
          />
        </div>
        <p className={`${classes.settingMeans} hint`}>
          <Trans>
            Unsaved text and staged edits survive a reload or a crash for 7 days, in this browser. Those of
            connections marked production only if you choose so.
          </Trans>
        </p>
      </div>
    </section>
  );
}
