import { t } from '@lingui/core/macro';
import { useLive, useRefusal } from '../../api.ts';
import { Button, ButtonLink, IconButton } from '../../components/controls/Button.tsx';
import { Icon } from '../../components/controls/Icon.tsx';
import { runFindingAction } from './finding-actions.ts';
import { type Finding, type Fix, needsConfigure, type Severity } from './findings/finding.ts';
import classes from './findings.module.css';

export const SEVERITY_LABEL: Record<Severity, string> = {
  urgent: t`Urgent`,
  warning: t`Warning`,
  note: t`Note`,
};

const STATE_COLOUR: Partial<Record<string, string>> = {
  quarantined: 'c-quarantined',
  held: 'c-held',
  paused: 'c-paused',
};
const COLOUR: Record<Severity, string> = { urgent: 'c-overdue', warning: 'c-soon', note: 't-2' };

/** Icon in the colour of its state, or else of the severity. */
export function FindingIcon({ finding: { icon, severity } }: { finding: Finding }) {
  return <Icon name={icon} className={STATE_COLOUR[icon] ?? COLOUR[severity]} />;
}

interface FindingCardProps {
  finding: Finding;
  onDismiss: () => void;
  /** Called after a button's action succeeded. */
  onDone: () => void;
}

/** One finding: severity, description, advice, and buttons that fix it. */
export function FindingCard({ finding, onDismiss, onDone }: FindingCardProps) {
  const { title, sentence, todo, severity, fixes } = finding;
  return (
    <li className={classes.finding}>
      <FindingIcon finding={finding} />
      <div>
        <div className={classes.findingH}>
          <h3 className="t-semi wrap">{title}</h3>
          <span className={`t-11 ${severity === 'note' ? 't-3' : COLOUR[severity]}`}>
            {SEVERITY_LABEL[severity]}
          </span>
          <IconButton icon="x" iconSize={12} label={t`Dismiss: ${title}`} onClick={onDismiss} />
        </div>
        <p className="t-12 t-2 wrap">
          {sentence} {todo}
        </p>
        <div className={`row ${classes.findingFixes}`}>
          {fixes.map((fix, index) => (
            <FixButton key={fix.label} fix={fix} isFirst={index === 0} about={title} onDone={onDone} />
          ))}
        </div>
      </div>
    </li>
  );
}

interface FixButtonProps {
  fix: Fix;
  isFirst: boolean;
  about: string;
  onDone: () => void;
}

function FixButton({ fix, isFirst, about, onDone }: FixButtonProps) {
  const mayConfigure = useRefusal('ttlIndexes.update') === null;
  const lost = useLive(({ connection }) => connection.is === 'lost');
  if (!mayConfigure && needsConfigure(fix)) return null;
  if ('href' in fix) {
    return (
      <ButtonLink small variant={isFirst ? 'plain' : 'ghost'} href={fix.href} title={about}>
        {fix.label}
      </ButtonLink>
    );
  }
  return (
    <Button
      small
      variant={isFirst ? 'plain' : 'ghost'}
      disabled={lost}
      title={about}
      onClick={() => void runFindingAction(fix.action, onDone)}
    >
      {fix.label}
    </Button>
  );
}
