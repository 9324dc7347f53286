import { useId } from 'react';
import type { ConnectionLabel, Environment } from '../../../shared/contract/connections.ts';
import { Checkbox } from '../../components/controls/Checkbox.tsx';
import { Segmented } from '../../components/controls/Segmented.tsx';
import { COLOUR_NAMES } from './format-connection.ts';

const ENVIRONMENT_SEGMENTS = [
  { value: 'development', label: 'Development' },
  { value: 'production', label: 'Production' },
] as const satisfies readonly { value: Environment; label: string }[];

const COLOUR_SEGMENTS = COLOUR_NAMES.map((name, index) => ({
  value: String(index + 1),
  title: name,
  label: (
    <>
      <span className="sw" style={{ background: `var(--series-${index + 1})` }} />
      <span className="sr">{name}</span>
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
  const id = useId();
  return (
    <>
      <label className="label">
        <span>Name</span>
        <input
          className="input"
          data-autofocus={autoFocus || undefined}
          autoComplete="off"
          spellCheck={false}
          value={name}
          aria-invalid={problem !== undefined}
          aria-describedby={`${id}-name`}
          onChange={event => onChange({ name: event.target.value })}
        />
        <span id={`${id}-name`} className="problem" role={problem === undefined ? undefined : 'alert'}>
          {problem}
        </span>
      </label>
      <div className="connection-choices">
        <span className="t-12 t-2">Colour</span>
        <Segmented
          label="Colour"
          value={String(colour)}
          segments={COLOUR_SEGMENTS}
          onChange={value => onChange({ colour: Number(value) })}
        />
        <span />
        <span className="t-12 t-2">Environment</span>
        <Segmented
          label="Environment"
          value={environment}
          segments={ENVIRONMENT_SEGMENTS}
          onChange={value => onChange({ environment: value })}
        />
        <span className="hint">
          {environment === 'production' ? 'Every change must be confirmed.' : 'Changes need no confirmation.'}
        </span>
        <span className="t-12 t-2">Changes</span>
        {/* biome-ignore lint/a11y/noLabelWithoutControl: the checkbox is inside */}
        <label className="row">
          <Checkbox
            label="Read-only"
            checked={readOnly}
            onChange={checked => onChange({ readOnly: checked })}
          />
          Read-only
        </label>
        <span className="hint">
          {readOnly
            ? 'The engine writes and removes nothing.'
            : 'Writes are allowed, and due documents are removed.'}
        </span>
      </div>
    </>
  );
}
