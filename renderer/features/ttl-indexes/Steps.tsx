import { Icon } from '../../components/controls/Icon.tsx';
import classes from './form/index-form.module.css';

const STEPS = ['Define', 'Review', 'Build'] as const;
export type Step = 0 | 1 | 2;

/** The three steps, with the current one marked. */
export function Steps({ step }: { step: Step }) {
  return (
    <ol className={classes.steps} aria-label="Steps">
      {STEPS.map((name, i) => (
        <li key={name} aria-current={i === step ? 'step' : undefined}>
          <span className={classes.number}>
            {i < step ? <Icon name="check" size={10} label="Done" /> : i + 1}
          </span>
          {name}
        </li>
      ))}
    </ol>
  );
}
