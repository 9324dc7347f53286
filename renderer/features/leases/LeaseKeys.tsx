import { Trans } from '@lingui/react/macro';
import type { LeaseRecord } from '../../../shared/contract/leases.ts';
import { visibleText } from '../../../shared/model/visible-text.ts';
import { formatCount } from '../../i18n/format.ts';
import classes from './leases.module.css';

/** The keys of a lease, `most` of them by name. */
export function LeaseKeys({ lease: { keys, keyCount }, most }: { lease: LeaseRecord; most: number }) {
  const named = keys.slice(0, most);
  const others = formatCount(keyCount - named.length);
  return (
    <ul className={`${classes.keys} t-12`}>
      {named.map(key => (
        <li key={key} className="mono ell" title={visibleText(key)}>
          {visibleText(key)}
        </li>
      ))}
      {keyCount > named.length && (
        <li className="t-3">
          <Trans>and {others} more</Trans>
        </li>
      )}
    </ul>
  );
}
