import { t } from '@lingui/core/macro';
import { Icon } from '../../components/controls/Icon.tsx';
import classes from './form/index-form.module.css';

const STEPS = [t`Define`, t`Review`, t`Build`] as const;
export type Step = 0 | 1 | 2;

/** The three steps, with the current one marked. */
export function Steps({ step }: { step: Step }) {
  return (
    <ol className={classes.steps} aria-label={t`Steps`}>
      {STEPS.map((name, i) => (
        <li key={name} aria-current={i === step ? 'step' : undefined}>
          <span className={classes.number}>
            {i < step ? <Icon name="check" size={10} label={t`Done`} /> : i + 1}
          </span>
          {name}
        </li>
      ))}
    </ol>
  );
}
