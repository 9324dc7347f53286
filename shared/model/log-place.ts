/** A place in the change log: the change at `position` of that revision, or the marker behind its last [V3]. */
export interface LogPlace {
  revision: number;
  position: number;
}

/** `revision` or `revision.position`; null: it is neither. */
export function readPlace(text: string): LogPlace | null {
  const [, revision, position = '0'] = /^(\d{1,16})(?:\.(\d{1,10}))?$/.exec(text) ?? [];
  return revision === undefined ? null : { revision: Number(revision), position: Number(position) };
}

/** What an event's id is. */
export function placeText({ revision, position }: LogPlace): string {
  return `${revision}.${position}`;
}

/** Where to go on after the event that was received last. */
export function placeBehind({ revision, position }: LogPlace): LogPlace {
  return { revision, position: position + 1 };
}
