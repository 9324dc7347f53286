import { t } from '@lingui/core/macro';
import type { Preview, TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import { readBackOf } from '../../../../shared/model/index-statements/index-statements.ts';
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
  const elsewhere = before === null ? readBackOf(collection, { name, ...definition }) : null;
  return <CopyAs title={t`The same change`} call={call} elsewhere={elsewhere} />;
}
