import { type ImportDeadlines, importDeadlines } from '../../../shared/contract/jobs.ts';

const CHOICES: Readonly<Record<ImportDeadlines, { label: string; means: string }>> = {
  absolute: {
    label: 'As they are',
    means:
      'What was set by hand keeps its instant; what a TTL index decided waits for such an index here. Where some are past, the collection is held first.',
  },
  remaining: {
    label: 'The time that was left',
    means: 'What was left when they were exported counts anew from now.',
  },
  none: { label: 'None', means: 'Only the TTL indexes of the collection decide.' },
};

interface DeadlinesFieldProps {
  deadlines: ImportDeadlines;
  onChange: (deadlines: ImportDeadlines) => void;
}

/** What is taken over of the deadlines that the file brings; pins stay pins in the first two. */
export function DeadlinesField({ deadlines, onChange }: DeadlinesFieldProps) {
  return (
    <fieldset className="choices">
      <legend>Deadlines that the file brings</legend>
      {importDeadlines.options.map(value => (
        <label key={value} className="choice">
          <input
            type="radio"
            className="radio"
            name="deadlines"
            checked={value === deadlines}
            onChange={() => onChange(value)}
          />
          <span>
            <b className="t-semi">{CHOICES[value].label}</b>
            <span className="hint wrap">{CHOICES[value].means}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
