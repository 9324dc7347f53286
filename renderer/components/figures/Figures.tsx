import type { ReactNode } from 'react';
import { Icon } from '../controls/Icon.tsx';
import { Spark } from './Spark.tsx';

export interface Figure {
  label: string;
  value: ReactNode;
  /** Less prominent, after the value: `s`, `/ 23.5 per s`. */
  unit?: string | undefined;
  /** The line below; also its tooltip, if it is cut off. */
  sub?: ReactNode;
  overdue?: boolean;
  spark?: readonly number[] | undefined;
  wide?: boolean;
}

/** A strip of figures. Every cell keeps its place and width while the numbers move. */
export function Figures({ label, figures }: { label: string; figures: readonly Figure[] }) {
  return (
    <dl className="figs" aria-label={label}>
      {figures.map(figure => (
        <div key={figure.label} className={`fig ${figure.wide ? 'wide' : ''}`}>
          <dt>{figure.label}</dt>
          <dd className={figure.overdue ? 'c-overdue' : undefined}>
            {figure.overdue && <Icon name="overdue" size={14} />}
            <span className="ell">{figure.value}</span>
            {figure.unit && <small>{figure.unit}</small>}
            {figure.spark && <Spark values={figure.spark} />}
          </dd>
          <dd className="sub" title={typeof figure.sub === 'string' ? figure.sub : undefined}>
            {figure.sub ?? ' '}
          </dd>
        </div>
      ))}
    </dl>
  );
}
