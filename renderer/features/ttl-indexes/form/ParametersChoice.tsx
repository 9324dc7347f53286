import { Checkbox, TextInput } from '@mantine/core';
import type { EngineParameter } from '../../../../shared/contract/capabilities.ts';
import fields from '../../../components/controls/fields.module.css';
import type { IndexDraft } from '../draft/index-draft.ts';
import { FLAG_SET } from '../draft/parameters-draft.ts';
import classes from './index-form.module.css';

interface ParametersChoiceProps {
  draft: IndexDraft;
  offered: readonly EngineParameter[];
  onChange: (change: Partial<IndexDraft>) => void;
  problem: string | null;
}

/** Settings of the index that only this engine has, by their names there. */
export function ParametersChoice({ draft, offered, onChange, problem }: ParametersChoiceProps) {
  const { parameters } = draft;
  const change = (name: string, text: string) => onChange({ parameters: { ...parameters, [name]: text } });
  return (
    <div className={`${classes.limits} ${classes.parameters}`}>
      {offered.map(({ name, kind, usual, sentence }) =>
        kind === 'flag' ? (
          <Checkbox
            key={name}
            size="xs"
            label={<span className="mono">{name}</span>}
            description={sentence}
            checked={parameters[name] === FLAG_SET}
            onChange={event => change(name, event.target.checked ? FLAG_SET : '')}
          />
        ) : (
          <TextInput
            key={name}
            className={fields.inline ?? ''}
            size="xs"
            label={<span className="mono">{name}</span>}
            description={sentence}
            placeholder={usual ?? ''}
            value={parameters[name] ?? ''}
            onChange={event => change(name, event.target.value)}
          />
        ),
      )}
      {problem !== null && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
