interface Erasure {
  purgedAt: number | null;
  followers: readonly { name: string; state: 'pending' | 'confirmed' | 'forgotten' }[];
}

/** Progress of a purge, for a person [X4]: `Erased here, pending on mirror-2.` */
export function formatErasure({ purgedAt, followers }: Erasure): string {
  const named = (state: string) =>
    followers.flatMap(follower => (follower.state === state ? [follower.name] : [])).join(', ');
  const forgotten = named('forgotten');
  const unknown = forgotten === '' ? '' : ` Forgotten, not confirmed: ${forgotten}.`;
  if (purgedAt === null) return `Erased here, pending on ${named('pending')}.${unknown}`;
  const confirmed = named('confirmed');
  const places = confirmed === '' ? 'here' : `here and on ${confirmed}`;
  return `Erased ${places}; copies in backups and exports are not.${unknown}`;
}
