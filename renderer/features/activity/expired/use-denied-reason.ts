import { useLive, useRefusal } from '../../../api.ts';

/** Why the person may not bring back or purge; null: they may. The engine decides; this says it before [P1]. */
export function useWhyNot(): string | null {
  const refusal = useRefusal('expired.restore');
  const isLost = useLive(({ connection }) => connection.is === 'lost');
  return isLost ? 'The engine is away.' : refusal;
}
