import { formatCount } from '../../../../shared/model/format.ts';
import { visibleText } from '../../../../shared/model/visible-text.ts';
import { IconButton } from '../../../components/controls/Button.tsx';
import { canRetry, type Failure, isRemoved } from './apply-edits.ts';

/** Edits that failed, with their messages. */
export function FailuresPanel({
  failed,
  total,
  onClose,
}: {
  failed: readonly Failure[];
  total: number;
  onClose: () => void;
}) {
  return (
    <section className="pop fails" aria-label="Failures">
      <div className="panel-h line">
        <h2>Not changed</h2>
        <span className="t-12 t-3">
          {formatCount(failed.length)} of {formatCount(total)}
        </span>
        <span className="spacer" />
        <IconButton icon="x" label="Close" onClick={onClose} />
      </div>
      <div className="fails-rows">
        <table className="tbl">
          <colgroup>
            <col style={{ width: 180 }} />
            <col />
            <col style={{ width: 200 }} />
          </colgroup>
          <tbody>
            {failed.map(failure => (
              <tr key={failure._id}>
                <td className="mono" title={visibleText(failure._id)}>
                  {visibleText(failure._id)}
                </td>
                <td title={failure.message}>{failure.message}</td>
                <td className="num t-12 t-3">{formatNextStep(failure)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function formatNextStep(failure: Failure): string {
  if (isRemoved(failure)) return 'expired or deleted';
  return canRetry(failure) ? 'can be retried' : 'needs another expiration';
}
