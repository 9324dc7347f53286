import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { TextInput } from '@mantine/core';
import type { Preview } from '../../../../shared/contract/ttl-indexes.ts';
import { useWords } from '../../../api.ts';
import { Note } from '../../../components/status/Note.tsx';
import { formatRecordCount } from '../../../i18n/format-engine-words.ts';
import type { ChosenDefinition } from '../draft/index-draft.ts';
import { removes } from '../format/format-action.ts';
import { formatShare } from '../preview/preview-figures.ts';
import classes from './review.module.css';

interface ConfirmEffectProps {
  collection: string;
  definition: Pick<ChosenDefinition, 'onExpire' | 'schedule'>;
  preview: Preview;
  /** Whether the name of the collection must be typed as well [R8]. */
  needsName: boolean;
  typedName: string;
  onTypeName: (text: string) => void;
}

/** States an effect above the bounds of the settings, beside the button that confirms it [R8]. */
export function ConfirmEffect(props: ConfirmEffectProps) {
  const { collection, definition, preview } = props;
  const { onExpire, schedule } = definition;
  const counted = formatRecordCount(useWords(), preview.dueAtOnce);
  const share = formatShare(preview.dueAtOnce / Math.max(1, preview.documents));
  return (
    <section aria-label={t`Confirm`}>
      <Note tone="bad" icon="overdue" role="note">
        {removes(onExpire, schedule)
          ? t`This removes ${counted}, ${share} of ${collection}.`
          : t`This acts on ${counted}, ${share} of ${collection}.`}
        {props.needsName && (
          <TextInput
            className={classes.confirmEffect ?? ''}
            classNames={{ input: 'mono' }}
            label={
              <Trans>
                To confirm, type its name: <b className="mono t-semi">{collection}</b>
              </Trans>
            }
            value={props.typedName}
            onChange={event => props.onTypeName(event.target.value)}
          />
        )}
      </Note>
    </section>
  );
}
