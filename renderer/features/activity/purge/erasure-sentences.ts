import { t } from '@lingui/core/macro';
import type { ErasureSentences } from '../../../../shared/model/format-erasure.ts';

/** Sentences of `formatErasure` in the language of the window. */
export const ERASURE_SENTENCES: ErasureSentences = {
  pending: followers => t`Erased here, pending on ${followers}.`,
  erasedHere: t`Erased here; copies in backups and exports are not.`,
  erasedOn: followers => t`Erased here and on ${followers}; copies in backups and exports are not.`,
  forgotten: followers => t`Forgotten, not confirmed: ${followers}.`,
};
