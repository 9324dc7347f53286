import { Plural, Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import { visibleText } from '../../../../shared/model/visible-text.ts';
import { client } from '../../../api.ts';
import { toCollection } from '../../../components/navigation/location.ts';
import { Note } from '../../../components/status/Note.tsx';
import classes from './quarantined.module.css';

/** Documents whose action failed: their count, the error, and the remedy [A5]. */
export function QuarantinedDocuments({ index, isWhole }: { index: TtlIndex; isWhole: boolean }) {
  const { collection, name, quarantined, never } = index;
  if (quarantined === 0) return null;
  const found = never.reasons.find(({ reason }) => reason === 'quarantined');
  return (
    <Note icon="quarantined" className={classes.quarantined}>
      <Trans>
        <a href={toCollection(collection, 'documents', { index: name, reason: 'quarantined' })}>
          <Plural value={quarantined} one="# document is" other="# documents are" /> quarantined
        </a>
        : overdue and unchanged, because the action failed or left{' '}
        <Plural value={quarantined} one="it" other="them" /> due.
      </Trans>
      {!isWhole &&
        found?.message !== undefined &&
        ` ${visibleText(found.examples[0] ?? '')}: ${visibleText(found.message)}`}
      {isWhole && found !== undefined && <Examples index={index} ids={found.examples} />}
      <p className="t-2">
        <Trans>
          A document is retried when it is written, all of them when the index’s duration, action or schedule
          changes.
        </Trans>
      </p>
    </Note>
  );
}

/** Lists each document with its error. */
function Examples({ index: { collection, name }, ids }: { index: TtlIndex; ids: readonly string[] }) {
  const { data } = useQuery({
    queryKey: ['quarantined', collection, ...ids],
    queryFn: () => Promise.all(ids.map(id => client.documents.explain({ collection, id }))),
    staleTime: 10_000,
  });
  return (
    <ul>
      {data?.map(({ _id, sentence, candidates }) => (
        <li key={_id}>
          <span className="mono">{visibleText(_id)}</span>:{' '}
          {visibleText(candidates.find(({ from }) => from === name)?.message ?? sentence)}
        </li>
      ))}
    </ul>
  );
}
