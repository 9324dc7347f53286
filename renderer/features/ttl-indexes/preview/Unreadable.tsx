import { plural } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Preview } from '../../../../shared/contract/ttl-indexes.ts';
import { stringifyJson } from '../../../../shared/model/json/json.ts';
import { visibleText } from '../../../../shared/model/visible-text.ts';
import { formatCount } from '../../../i18n/format.ts';
import { formatList } from '../../../i18n/sentence.ts';
import { valueCount } from './preview-figures.ts';

/** `All 2,000 values cannot be read, such as "2005.06.03". They never expire.` */
export function Unreadable({ preview }: { preview: Preview }) {
  const { count, values } = preview.unreadable;
  const of = valueCount(preview);
  const examples = values.flatMap(value => stringifyJson(value) ?? []).map(visibleText);
  const total = formatCount(of);
  const unreadable =
    count === of
      ? plural(of, { one: 'The only value cannot be read', other: 'All # values cannot be read' })
      : plural(count, {
          one: `# of ${total} value cannot be read`,
          other: `# of ${total} values cannot be read`,
        });
  return (
    <>
      {examples.length > 0 ? (
        <Trans>
          <b className="t-semi">{unreadable}</b>, such as{' '}
          <span className="mono wrap">{formatList(examples)}</span>.
        </Trans>
      ) : (
        <Trans>
          <b className="t-semi">{unreadable}</b>.
        </Trans>
      )}{' '}
      {plural(count, { one: 'It never expires.', other: 'They never expire.' })}
    </>
  );
}
