import { t } from '@lingui/core/macro';
import { useEffect, useRef } from 'react';
import { orpc, problemOf, useLiveQuery } from '../../../api.ts';
import { changeQuery, usePlace } from '../../../components/navigation/location.ts';
import { Note } from '../../../components/status/Note.tsx';
import { CopyAs } from '../review/CopyAs.tsx';
import { copyForm } from '../review/copy-formats.ts';
import { formatCall } from '../review/index-call.ts';

/**
 * The definition of this index as a REST call, for the command line and for other systems, formatted by the engine
 * [X5].
 */
export function DefinitionPanel({ collection, name }: { collection: string; name: string }) {
  const { query } = usePlace();
  const asked = query.get('as');
  const here = useRef<HTMLDivElement>(null);
  const { data, error } = useLiveQuery(
    orpc.ttlIndexes.definition.queryOptions({ input: { collection, index: name } }),
    { collection, everyMs: 2_000 },
  );
  const isShown = data !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls there only if the address asks for it
  useEffect(() => {
    if (isShown && asked !== null) here.current?.scrollIntoView({ block: 'nearest' });
  }, [isShown]);
  if (error !== null && data === undefined) return <Note tone="warn">{problemOf(error).message}</Note>;
  if (data === undefined) return null;
  return (
    <div ref={here} className="read-back">
      <CopyAs
        key={name}
        title={t`Copy as`}
        call={formatCall(data.rest)}
        elsewhere={data}
        first={copyForm(asked)}
        onChoose={form => changeQuery({ as: form === 'rest' ? null : form })}
      />
    </div>
  );
}
