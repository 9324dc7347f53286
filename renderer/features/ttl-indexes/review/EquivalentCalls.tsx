import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import type { Preview, TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import { readBackOf, scriptOf } from '../../../../shared/model/index-statements/index-statements.ts';
import { orpc, useMissing } from '../../../api.ts';
import type { ChosenDefinition } from '../draft/index-draft.ts';
import { CopyAs } from './CopyAs.tsx';
import { indexCall } from './index-call.ts';

interface SameChangeProps {
  collection: string;
  name: string;
  before: TtlIndex | null;
  definition: ChosenDefinition;
  preview: Preview;
}

/** The change as a REST call; a new index also for the command line and other systems [X5]. */
export function EquivalentCalls({ collection, name, before, definition, preview }: SameChangeProps) {
  const call = indexCall({ collection, name, before, definition, dueAtOnce: preview.dueAtOnce });
  const statements = useStatements({ collection, name, ...definition });
  const readBack = before === null ? readBackOf(collection, { name, ...definition }) : null;
  // The engine's own SQL is exact, and shown first.
  const elsewhere =
    statements === null ? readBack : { ...readBack, cockroachdb: { statement: statements, reason: null } };
  return (
    <CopyAs
      key={statements === null ? 'portable' : 'own'}
      title={t`The same change`}
      call={call}
      elsewhere={elsewhere}
      first={statements === null ? 'rest' : 'cockroachdb'}
    />
  );
}

/** Returns the SQL that the engine would execute; null: it has none, or it is not read yet. */
function useStatements(input: ChosenDefinition & { collection: string; name: string }): string | null {
  const hasSql = useMissing('indexStatements') === null;
  const { data } = useQuery(orpc.ttlIndexes.statements.queryOptions({ input, enabled: hasSql }));
  return hasSql && data !== undefined ? scriptOf(data.statements) : null;
}
