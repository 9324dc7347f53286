interface Erasure {
  purgedAt: number | null;
  followers: readonly { name: string; state: 'pending' | 'confirmed' | 'forgotten' }[];
}

/** Sentences of a purge's progress in one language. `followers` names one or more. */
export interface ErasureSentences {
  pending: (followers: string) => string;
  erasedHere: string;
  erasedOn: (followers: string) => string;
  forgotten: (followers: string) => string;
}

const ENGLISH: ErasureSentences = {
  pending: followers => `Erased here, pending on ${followers}.`,
  erasedHere: 'Erased here; copies in backups and exports are not.',
  erasedOn: followers => `Erased here and on ${followers}; copies in backups and exports are not.`,
  forgotten: followers => `Forgotten, not confirmed: ${followers}.`,
};

/** Describes the progress of a purge, for a person [X4]: `Erased here, pending on mirror-2.` */
export function formatErasure({ purgedAt, followers }: Erasure, sentences = ENGLISH): string {
  const named = (state: string) =>
    followers.flatMap(follower => (follower.state === state ? [follower.name] : [])).join(', ');
  const confirmed = named('confirmed');
  const forgotten = named('forgotten');
  const erased = confirmed === '' ? sentences.erasedHere : sentences.erasedOn(confirmed);
  const progress = purgedAt === null ? sentences.pending(named('pending')) : erased;
  return forgotten === '' ? progress : `${progress} ${sentences.forgotten(forgotten)}`;
}
