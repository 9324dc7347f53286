import { useState } from 'react';
import { formatCount } from '../../../../shared/model/format.ts';
import { formatErasure } from '../../../../shared/model/format-erasure.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { Dialog } from '../../../components/overlays/Dialog.tsx';
import { Ago } from '../../../components/time/Time.tsx';
import { usePurges } from './use-purges.ts';

const SHOWN_AT_MOST = 200;

/** Purges and the followers that each is pending on [X4]. Renders nothing without a purge. */
export function PurgeList() {
  const purges = usePurges();
  const [isOpen, setOpen] = useState(false);
  if (purges.length === 0) return null;
  const pending = purges.filter(({ purgedAt }) => purgedAt === null).length;
  const label = pending > 0 ? `Purges, ${formatCount(pending)} pending` : 'Purges';
  return (
    <>
      <Button
        variant="ghost"
        {...(pending > 0 && { icon: 'live' as const })}
        aria-label={label}
        title={label}
        onClick={() => setOpen(true)}
      >
        Purges
      </Button>
      <Dialog opened={isOpen} onClose={() => setOpen(false)} title="Purges" width={760}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that may scroll must take the focus */}
        <section className="purges" aria-label="Purges" tabIndex={0}>
          <table className="tbl">
            <thead>
              <tr>
                <th scope="col">Collection</th>
                <th scope="col" className="num">
                  Documents
                </th>
                <th scope="col">By</th>
                <th scope="col">Erased here</th>
                <th scope="col" className="state">
                  State
                </th>
              </tr>
            </thead>
            <tbody>
              {purges.slice(0, SHOWN_AT_MOST).map(purge => (
                <tr key={purge.id}>
                  <td className={purge.collection === null ? 't-2' : 't-semi'}>
                    {purge.collection ?? 'selected or all'}
                  </td>
                  <td className="num">{formatCount(purge.documents)}</td>
                  <td>{purge.by}</td>
                  <td className="t-2 nowrap">
                    <Ago at={purge.erasedAt} />
                  </td>
                  <td className="state">{formatErasure(purge)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </Dialog>
    </>
  );
}
