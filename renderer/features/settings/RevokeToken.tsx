import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { TokenRecord } from '../../../shared/contract/tokens.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Dialog } from '../../components/overlays/Dialog.tsx';
import { Note } from '../../components/status/Note.tsx';
import { Ago } from '../../components/time/Time.tsx';
import { useLastNonNull } from '../../state/latest.ts';

interface RevokeTokenProps {
  /** Null: closed. */
  token: TokenRecord | null;
  problem: string | null;
  busy: boolean;
  onClose: () => void;
  onRevoke: (token: TokenRecord) => void;
}

/** Revoking is confirmed, because calls with the token are refused at once. */
export function RevokeToken({ token, problem, busy, onClose, onRevoke }: RevokeTokenProps) {
  // The content is kept while the dialog closes.
  const shown = useLastNonNull(token);
  return (
    <Dialog opened={token !== null} onClose={onClose} title={t`Revoke ${shown?.name ?? ''}`} width={440}>
      <div className="form">
        <p>
          <Trans>Further calls with it are refused, and its open connections are closed.</Trans>{' '}
          {shown?.lastUsedAt != null ? (
            <>
              <Trans>
                It was last used <Ago at={shown.lastUsedAt} />.
              </Trans>
            </>
          ) : (
            t`It was never used.`
          )}
        </p>
        {problem !== null && (
          <Note tone="bad">
            <Trans>Not revoked. {problem}</Trans>
          </Note>
        )}
        <div className="row end">
          <Button data-autofocus onClick={onClose}>{t`Keep it`}</Button>
          <Button
            variant="danger"
            busy={busy}
            onClick={() => shown !== null && onRevoke(shown)}
          >{t`Revoke token`}</Button>
        </div>
      </div>
    </Dialog>
  );
}
