import { t } from '@lingui/core/macro';
import { Checkbox, TextInput } from '@mantine/core';
import type { ConnectionLabel, Environment } from '../../../shared/contract/connections.ts';
import { Segmented } from '../../components/controls/Segmented.tsx';
import classes from './connections.module.css';
import { COLOUR_NAMES } from './format-connection.ts';

const ENVIRONMENT_SEGMENTS = [
  { value: 'development', label: t`Development` },
  { value: 'production', label: t`Production` },
] as const satisfies readonly { value: Environment; label: string }[];

const COLOUR_SEGMENTS = COLOUR_NAMES.map((name, index) => ({
  value: String(index + 1),
  label: (
    <>
      <span className="swatch" style={{ background: `var(--series-${index + 1})` }} />
      <span className="visually-hidden">{name}</span>
    </>
  ),
}));

interface LabelFieldsProps {
  label: ConnectionLabel;
  problem: string | undefined;
  /** The first field of the form. */
  autoFocus?: boolean;
  onChange: (change: Partial<ConnectionLabel>) => void;
}

/** Name, colour, environment and read-only, with the effect of each. */
export function LabelFields({ label, problem, autoFocus = false, onChange }: LabelFieldsProps) {
  const { name, colour, environment, readOnly } = label;
  return (
    <>
      <TextInput
        label={t`Name`}
        data-autofocus={autoFocus || undefined}
        value={name}
        error={problem}
        onChange={event => onChange({ name: event.target.value })}
      />
      <div className={classes.connectionChoices}>
        <span className="t-12 t-2">{t`Colour`}</span>
        <Segmented
          label={t`Colour`}
          value={String(colour)}
          segments={COLOUR_SEGMENTS}
          onChange={value => onChange({ colour: Number(value) })}
        />
        <span className="hint">{COLOUR_NAMES[colour - 1]}</span>
        <span className="t-12 t-2">{t`Environment`}</span>
        <Segmented
          label={t`Environment`}
          value={environment}
          segments={ENVIRONMENT_SEGMENTS}
          onChange={value => onChange({ environment: value })}
        />
        <span className="hint">
          {environment === 'production'
            ? t`Every change must be confirmed.`
            : t`Changes need no confirmation.`}
        </span>
        <span className="t-12 t-2">{t`Changes`}</span>
        <Checkbox
          label={t`Read-only`}
          checked={readOnly}
          onChange={event => onChange({ readOnly: event.target.checked })}
        />
        <span className="hint">
          {readOnly
            ? t`The engine writes and removes nothing.`
            : t`Writes are allowed, and due documents are removed.`}
        </span>
      </div>
    </>
  );
}
