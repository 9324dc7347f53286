import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { problemOf, useRefusal, useStoreSpace } from '../../api.ts';
import { Icon } from '../../components/controls/Icon.tsx';
import { Meter } from '../../components/figures/Meter.tsx';
import { Note } from '../../components/status/Note.tsx';
import { formatBytes } from '../../i18n/format.ts';
import { SettingRow } from './SettingRow.tsx';
import { SETTING_GROUPS } from './setting-fields.ts';
import classes from './settings.module.css';
import { useSettings } from './use-settings.ts';

/** The store's settings of one section, each in effect as soon as it is changed. */
export function StoreSettings({ section }: { section: keyof typeof SETTING_GROUPS }) {
  const { data, error } = useSettings();
  const refusal = useRefusal('settings.update');
  const space = useStoreSpace();
  if (error !== null && data === undefined)
    return (
      <Note tone="bad">
        <Trans>No settings. {problemOf(error).message}</Trans>
      </Note>
    );
  if (data === undefined) return <div aria-busy="true" />;
  const used = { retentionBytes: space?.retainedBytes, logBytes: space?.logBytes };
  return (
    <>
      {refusal !== null && (
        <p className={`${classes.refusal} t-2`}>
          <Icon name="lock" size={14} /> <Trans>Settings cannot be changed. {refusal}</Trans>
        </p>
      )}
      {SETTING_GROUPS[section].map(({ title, about, fields }) => (
        <section key={title} className={classes.group} aria-label={title}>
          <h2 className="t-semi">{title}</h2>
          <p className={`t-2 ${classes.about}`}>{about}</p>
          {fields.map(field => (
            <SettingRow key={field.name} field={field} value={data[field.name]} refusal={refusal}>
              {(field.name === 'retentionBytes' || field.name === 'logBytes') && (
                <Used used={used[field.name]} of={data[field.name]} label={t`${title}, space used`} />
              )}
            </SettingRow>
          ))}
        </section>
      ))}
    </>
  );
}

function Used({ used, of, label }: { used: number | undefined; of: number; label: string }) {
  if (used === undefined) return null;
  return (
    <div className={`${classes.settingUsed} t-12 t-2`}>
      <span className="nowrap">
        <Trans>
          {formatBytes(used)} of {formatBytes(of)} used
        </Trans>
      </span>
      <Meter label={label} done={used} total={of} />
    </div>
  );
}
