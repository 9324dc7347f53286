import type { Preview } from '../../../../shared/contract/ttl-indexes.ts';
import { stringifyJson } from '../../../../shared/model/json/json.ts';
import { visibleText } from '../../../../shared/model/visible-text.ts';
import { formatCount } from '../../../i18n/format.ts';
import { valueCount } from './preview-figures.ts';

/** `All 2,000 values cannot be read, such as "2005.06.03". They never expire.` */
export function Unreadable({ preview }: { preview: Preview }) {
  const { count, values } = preview.unreadable;
  const of = valueCount(preview);
  const what = count === 1 ? 'value cannot be read' : 'values cannot be read';
  const examples = values.flatMap(value => stringifyJson(value) ?? []).map(visibleText);
  return (
    <>
      <b className="t-semi">
        {count === of
          ? `${count === 1 ? 'The only' : `All ${formatCount(of)}`} ${what}`
          : `${formatCount(count)} of ${formatCount(of)} ${what}`}
      </b>
      {examples.length > 0 && (
        <>
          , such as <span className="mono wrap">{examples.join(', ')}</span>
        </>
      )}
      . {count === 1 ? 'It never expires.' : 'They never expire.'}
    </>
  );
}
