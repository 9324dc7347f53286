import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ExpiredEntry } from '../../../../shared/contract/metrics.ts';
import { visibleText } from '../../../../shared/model/visible-text.ts';
import { Segmented } from '../../../components/controls/Segmented.tsx';
import { Ago } from '../../../components/time/Time.tsx';
import classes from '../activity.module.css';
import type { OnConflict, StoredDocument } from './restore-plan.ts';

interface ConflictListProps {
  entries: readonly ExpiredEntry[];
  taken: ReadonlyMap<string, StoredDocument>;
  onConflict: OnConflict;
  choices: Readonly<Record<string, OnConflict>>;
  segments: readonly { value: OnConflict; label: string }[];
  onChoose: (id: string, choice: OnConflict) => void;
}

/** Documents whose `_id` is in use, each with its own choice. */
export function ConflictList(props: ConflictListProps) {
  const { entries, taken, onConflict, choices, segments, onChoose } = props;
  return (
    <ul className={classes.conflicts}>
      {entries.map(({ id, _id }) => {
        const holder = taken.get(id);
        if (holder === undefined) return null;
        return (
          <li key={id} className="row">
            <span className="mono ell grow" title={visibleText(_id)}>
              {visibleText(_id)}
            </span>
            <span className="t-12 t-3 nowrap">
              <Trans>
                written <Ago at={holder.updatedAt} />
              </Trans>
            </span>
            <Segmented
              label={t`If ${visibleText(_id)} is in use`}
              value={choices[id] ?? onConflict}
              segments={segments}
              onChange={choice => onChoose(id, choice)}
            />
          </li>
        );
      })}
    </ul>
  );
}
