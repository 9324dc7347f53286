import type { ConnectionChange, ConnectionLabel } from '../../shared/contract/connections.ts';
import { SandglassError } from '../../shared/model/errors.ts';
import { hasControlCharacters } from '../../shared/model/visible-text.ts';

const LONGEST_NAME = 120;

/** Returns `before` with the fields that are given. Throws INVALID_CONNECTION for an invalid name. */
export function changedLabel(
  before: ConnectionLabel,
  { name, colour, environment, readOnly }: Omit<ConnectionChange, 'id'>,
): ConnectionLabel {
  return {
    name: name === undefined ? before.name : checkedName(name),
    colour: colour ?? before.colour,
    environment: environment ?? before.environment,
    readOnly: readOnly ?? before.readOnly,
  };
}

function checkedName(given: string): string {
  const name = given.trim();
  if (name !== '' && name.length <= LONGEST_NAME && !hasControlCharacters(name)) return name;
  throw new SandglassError(
    'INVALID_CONNECTION',
    `The name of a connection has 1 to ${LONGEST_NAME} characters, and no control characters.`,
    { name: given.slice(0, LONGEST_NAME) },
  );
}
