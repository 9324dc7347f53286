import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Autocomplete } from '@mantine/core';
import { useLive, useWords } from '../../../api.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { usePlace } from '../../../components/navigation/location.ts';
import {
  formatGroup,
  formatRecordCount,
  formatRecords,
  type Words,
} from '../../../i18n/format-engine-words.ts';

interface CollectionFieldProps {
  collection: string;
  /** Reason why the name is invalid; null: it is valid. */
  problem: string | null;
  onChange: (collection: string) => void;
}

const CHOICES_SHOWN = 100;

const formatExisting = (words: Words | undefined, count: number) =>
  t`Exists, with ${formatRecordCount(words, count)}. ${formatRecords(words)} with an equal _id are replaced.`;

/** Tables are created in SQL only. */
const formatMissing = (words: Words | undefined) =>
  words?.group === 'table' ? t`There is no such table.` : t`Will be created.`;

/** Target collection: preset from the file name, or the open collection. */
export function CollectionField({ collection, problem, onChange }: CollectionFieldProps) {
  const { path } = usePlace();
  const words = useWords();
  const open = path[0] === 'collections' ? path[1] : undefined;
  const collections = useLive(state => state.collections);
  const existing = collections?.get(collection);
  const other = open !== undefined && open !== collection && collections?.has(open) ? open : null;
  return (
    <>
      <Autocomplete
        label={formatGroup(words)}
        data-autofocus
        data={[...(collections?.keys() ?? [])]}
        limit={CHOICES_SHOWN}
        value={collection}
        error={problem}
        description={
          problem === null && (existing ? formatExisting(words, existing.documents) : formatMissing(words))
        }
        onChange={onChange}
      />
      {other !== null && (
        <Button small className="other-target" onClick={() => onChange(other)}>
          <span className="ell">
            <Trans>Into {other} instead</Trans>
          </span>
        </Button>
      )}
    </>
  );
}
