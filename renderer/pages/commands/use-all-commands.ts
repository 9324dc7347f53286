import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { TtlIndex } from '../../../shared/contract/ttl-indexes.ts';
import { client, type LiveState, liveState, useLive, useMayConnect, useRefusal } from '../../api.ts';
import { usePlace } from '../../components/navigation/location.ts';
import { pageCommands } from '../../components/navigation/page-commands.ts';
import { useZone } from '../../components/time/clock.ts';
import type { Command } from '../../features/frame/palette/command.ts';
import { useTheme } from '../../theme/theme.ts';
import { collectionCommands } from './collections.ts';
import type { CommandContext } from './command-context.ts';
import { connectionCommands } from './connection-commands.ts';
import { frameCommands } from './frame.ts';
import { indexCommands } from './indexes.ts';
import { navigationCommands } from './navigation-commands.ts';
import { storeCommands } from './store.ts';

/** Most collections whose indexes are read, one call each. */
const COLLECTIONS_ASKED = 100;
const AT_ONCE = 8;

/** All commands, for the palette. */
export function useAllCommands(): readonly Command[] {
  const theme = useTheme();
  const [zone] = useZone();
  const reaper = useLive(state => state.reaper);
  const collections = useLive(state => state.collections);
  const store = useLive(state => state.store?.name ?? t`the store`);
  const capabilities = useLive(state => state.store?.capabilities);
  const lost = useLive(({ connection }) => connection.is === 'lost');
  const connections = useLive(state => state.connections);
  const at = useLive(state => state.at);
  const mayConnect = useMayConnect();
  const mayWrite = useRefusal('documents.write') === null;
  const mayConfigure = useRefusal('ttlIndexes.create') === null;
  const { path } = usePlace();
  const here = path[0] === 'collections' ? (path[1] ?? null) : null;
  const indexes = useIndexesOfAll(here);
  // Commands of the page, which does not change while the palette is open.
  const [ofPage] = useState(pageCommands);
  return useMemo(() => {
    const context: CommandContext = {
      ...{ store, reaper, lost, mayWrite, mayConfigure, capabilities, theme, zone, here },
      collections: [...(collections?.values() ?? [])],
    };
    return [
      ...ofPage.map(
        (command): Command => ({
          detail: '',
          ...command,
          id: `page ${command.label}`,
          group: 'This page',
        }),
      ),
      ...storeCommands(context),
      ...frameCommands(context),
      ...navigationCommands(context),
      ...connectionCommands(connections ?? [], at, mayConnect),
      ...collectionCommands(context),
      ...indexCommands(indexes, context),
    ];
  }, [
    collections,
    reaper,
    store,
    lost,
    mayWrite,
    mayConfigure,
    capabilities,
    theme,
    zone,
    here,
    indexes,
    ofPage,
    connections,
    at,
    mayConnect,
  ]);
}

const NONE: readonly TtlIndex[] = [];

/**
 * The indexes of the collections. Read when the palette opens, and after an index is created or dropped; empty until
 * then, and after a failure.
 */
function useIndexesOfAll(here: string | null): readonly TtlIndex[] {
  const indexed = useLive(countsOfIndexes);
  const { data } = useQuery({
    queryKey: ['palette', 'ttl-indexes', indexed],
    queryFn: () => askIndexes(here),
    staleTime: 0,
    placeholderData: before => before,
    retry: false,
  });
  return data ?? NONE;
}

const countsOfIndexes = ({ collections }: LiveState): string =>
  [...(collections?.values() ?? [])].map(({ name, ttlIndexes }) => `${name}/${ttlIndexes}`).join('/');

async function askIndexes(here: string | null): Promise<TtlIndex[]> {
  const names = [...(liveState().collections?.values() ?? [])]
    .filter(({ ttlIndexes }) => ttlIndexes > 0)
    .map(({ name }) => name)
    .sort((a, b) => Number(b === here) - Number(a === here))
    .slice(0, COLLECTIONS_ASKED);
  const found: TtlIndex[] = [];
  for (let i = 0; i < names.length; i += AT_ONCE) {
    const some = names.slice(i, i + AT_ONCE).map(collection => client.ttlIndexes.list({ collection }));
    // The collection was dropped meanwhile.
    for (const answer of await Promise.allSettled(some))
      if (answer.status === 'fulfilled') found.push(...answer.value);
  }
  return found;
}
