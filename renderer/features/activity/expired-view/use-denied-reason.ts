import { t } from '@lingui/core/macro';
import { useLive, useRefusal } from '../../../api.ts';

/**
 * Returns the reason why the session may not restore or purge; null if it may. The engine checks every call itself
 * [P1].
 */
export function useDeniedReason(): string | null {
  const refusal = useRefusal('expired.restore');
  const isLost = useLive(({ connection }) => connection.is === 'lost');
  return isLost ? t`The engine is not connected.` : refusal;
}
