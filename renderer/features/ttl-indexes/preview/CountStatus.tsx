import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Icon } from '../../../components/controls/Icon.tsx';
import { useSlow } from '../../../components/status/use-slow.ts';
import { formatCount, formatDuration } from '../../../i18n/format.ts';
import { RuleSummary } from '../format/RuleSummary.tsx';
import type { PreviewState } from './use-preview.ts';

/** Shows `counted all 2,306,118 in 0.9 s` or, during a recount, that the figures are the previous ones. */
export function CountStatus({ state, isLeftOver }: { state: PreviewState; isLeftOver: boolean }) {
  const { preview, countedFor, isCounting } = state;
  const isSlow = useSlow(isCounting);
  if (isLeftOver && countedFor !== null) {
    return (
      <span className="t-12 t-2 wrap" role="status">
        <Trans>
          still the count for <RuleSummary source={countedFor} />
        </Trans>
      </span>
    );
  }
  if (isCounting) {
    return <span className="t-12 t-3 nowrap">{isSlow || preview === null ? t`counting…` : t`counting`}</span>;
  }
  if (preview === null) return null;
  return (
    <span className="t-12 t-3 nowrap">
      <Icon name="check" size={12} />{' '}
      <Trans>
        counted all {formatCount(preview.documents)} in {formatDuration(preview.elapsedMs)}
      </Trans>
    </span>
  );
}
