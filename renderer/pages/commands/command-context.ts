import { type Capabilities, type Feature, missingBecause } from '../../../shared/contract/capabilities.ts';
import type { CollectionSummary } from '../../../shared/contract/collections.ts';
import type { ReaperState } from '../../../shared/contract/reaper.ts';
import type { Command } from '../../features/frame/palette/command.ts';
import type { Theme } from '../../theme/theme.ts';

/** State that decides which commands are possible. */
export interface CommandContext {
  store: string;
  collections: readonly CollectionSummary[];
  reaper: ReaperState | null;
  /** Whether the engine is not connected: its commands are listed and disabled. */
  lost: boolean;
  mayWrite: boolean;
  mayConfigure: boolean;
  /** Capabilities of the connection's engine; undefined: not known yet. */
  capabilities: Capabilities | undefined;
  theme: Theme;
  zone: 'utc' | 'local';
  /** The collection of the current page. */
  here: string | null;
}

/** Returns whether the engine of the connection has a feature. */
export const offers = ({ capabilities }: Pick<CommandContext, 'capabilities'>, feature: Feature): boolean =>
  capabilities === undefined || missingBecause(capabilities, feature) === null;

type Said = Omit<Command, 'id' | 'group' | 'detail'> & { detail?: string };

export const action = (id: string, said: Said): Command => ({
  id,
  group: 'Actions',
  ...said,
  detail: said.detail ?? '',
});
export const place = (id: string, said: Said): Command => ({
  id,
  group: 'Go to',
  ...said,
  detail: said.detail ?? '',
});
