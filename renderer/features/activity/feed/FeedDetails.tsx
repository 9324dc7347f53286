import { formatCount, formatLag } from '../../../../shared/model/format.ts';
import { EXPLICIT } from '../../../../shared/model/ttl-index.ts';
import { visibleText } from '../../../../shared/model/visible-text.ts';
import { IconButton } from '../../../components/controls/Button.tsx';
import { toActivity, toCollection, toEditIndex } from '../../../components/navigation/location.ts';
import { Ago, Instant } from '../../../components/time/Time.tsx';
import { formatIndexName } from '../passes/format-pass.ts';
import type { FeedRow } from './feed-log.ts';
import { formatRow, formatRowLag } from './format-feed.ts';

interface FeedDetailsProps {
  row: FeedRow;
  onClose: () => void;
}

/** Documents of one row. */
export function FeedDetails({ row, onClose }: FeedDetailsProps) {
  const { expiry, collection } = row;
  return (
    <aside className="drawer" aria-label={`Revision ${formatCount(row.revision)}`}>
      <div className="row drawer-h">
        <b className="t-semi grow">Revision {formatCount(row.revision)}</b>
        <IconButton icon="x" label="Close" shortcut="Esc" onClick={onClose} />
      </div>
      <div className="drawer-b">
        <section>
          <p className="wrap">{formatRow(row)}</p>
          <dl className="facts t-12">
            <dt>Committed</dt>
            <dd>
              <Instant at={row.at} />, <Ago at={row.at} className="t-2" />
            </dd>
            <dt>Collection</dt>
            <dd className="wrap">
              <a href={toCollection(collection)}>{collection}</a>
            </dd>
            {expiry !== null && (
              <>
                <dt>Index</dt>
                <dd className="wrap">
                  {expiry.index === EXPLICIT ? (
                    formatIndexName(expiry.index)
                  ) : (
                    <a href={toEditIndex(collection, expiry.index)}>{expiry.index}</a>
                  )}
                </dd>
                {expiry.pass > 0 && (
                  <>
                    <dt>Pass</dt>
                    <dd>
                      <a href={toActivity('passes', { collection })}>{formatCount(expiry.pass)}</a>
                    </dd>
                  </>
                )}
                <dt>Lag</dt>
                <dd>{formatRowLag(row)}</dd>
              </>
            )}
          </dl>
        </section>
        <Documents row={row} />
        {expiry !== null && (
          <section>
            <a href={toActivity('expired', { collection })}>Expired in {collection}</a>
          </section>
        )}
      </div>
    </aside>
  );
}

function Documents({ row }: { row: FeedRow }) {
  const isExpiry = row.expiry !== null;
  const more = row.count - row.items.length;
  return (
    <section>
      <table className="changed t-12">
        <thead>
          <tr className="t-11 t-3">
            <th scope="col">{row.kind === 'definition' ? 'Definition' : 'Document'}</th>
            {isExpiry && <th scope="col">Was due</th>}
            {isExpiry && (
              <th scope="col" className="num">
                Lag
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {row.items.map(({ _id, position, due }) => (
            <tr key={position}>
              <td className="mono ell" title={visibleText(_id)}>
                {visibleText(_id)}
              </td>
              {due !== null && (
                <td className="t-2">
                  <Instant at={due.deadlineAt} />
                </td>
              )}
              {due !== null && <td className="num t-2">{formatLag(due.lagMs)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="t-12 t-3">{more > 0 ? `and ${formatCount(more)} more, not listed` : 'End of batch'}</p>
    </section>
  );
}
