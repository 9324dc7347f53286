/** A position in the change log: the change at `position` of that revision, or the end of the revision [V3]. */
export interface LogPosition {
  revision: number;
  position: number;
}

/** Parses `revision` or `revision.position`; null if the text is neither. */
export function parseLogPosition(text: string): LogPosition | null {
  const [, revision, position = 0] = /^(\d{1,16})(?:\.(\d{1,10}))?$/.exec(text) ?? [];
  return revision === undefined ? null : { revision: Number(revision), position: Number(position) };
}

/** Returns the id of an event. */
export function formatLogPosition({ revision, position }: LogPosition): string {
  return `${revision}.${position}`;
}

/** Returns the position after the event that was received last. */
export function nextLogPosition({ revision, position }: LogPosition): LogPosition {
  return { revision, position: position + 1 };
}
