import { t } from '@lingui/core/macro';
import type { CollectionSummary } from '../../../shared/contract/collections.ts';
import { goTo, toCollection, toCreateIndex, toHealth } from '../../components/navigation/location.ts';
import { offerFor } from '../../components/status/removal-stopped.ts';
import type { Command } from '../../features/frame/palette/command.ts';
import { pickFile } from '../../features/import/file/import-request.ts';
import { pauseReaper, resumeReaper, runPass } from '../../features/reaper/reaper-actions.ts';
import { formatCount } from '../../i18n/format.ts';
import { action, type CommandContext, offers, place } from './command-context.ts';
import { exportFrom } from './exporting.ts';

/** Pages and actions of each collection. */
export function collectionCommands(context: CommandContext): Command[] {
  return context.collections.flatMap(summary => {
    const near = summary.name === context.here;
    return [...placesOf(summary, context), ...writesOf(summary, context), ...reaperOf(summary, context)].map(
      command => ({ ...command, near }),
    );
  });
}

function placesOf({ name, documents }: CollectionSummary, context: CommandContext): Command[] {
  return [
    place(`open ${name}`, {
      label: name,
      detail: t`${formatCount(documents)} documents`,
      icon: 'table',
      run: () => goTo(toCollection(name)),
    }),
    place(`documents ${name}`, {
      label: t`Documents`,
      detail: name,
      icon: 'doc',
      run: () => goTo(toCollection(name, 'documents')),
    }),
    ...(offers(context, 'ttlIndexes')
      ? [
          place(`indexes ${name}`, {
            label: t`TTL indexes`,
            detail: t`${name}, with their policy history`,
            icon: 'glass',
            run: () => goTo(toCollection(name, 'ttl-indexes')),
          }),
        ]
      : []),
    place(`health ${name}`, {
      label: t`Health`,
      detail: t`of ${name}`,
      icon: 'health',
      run: () => goTo(toHealth({ collection: name })),
    }),
  ];
}

function writesOf({ name }: CollectionSummary, context: CommandContext): Command[] {
  const { lost: disabled, mayWrite, mayConfigure } = context;
  return [
    ...(mayWrite && offers(context, 'import')
      ? [
          action(`import ${name}`, {
            label: t`Import a file…`,
            detail: t`into ${name}`,
            icon: 'upload',
            disabled,
            run: () => pickFile(name),
          }),
        ]
      : []),
    ...(offers(context, 'export')
      ? [
          action(`export ${name}`, {
            label: t`Export…`,
            detail: name,
            icon: 'download',
            disabled,
            run: () => exportFrom(name),
          }),
        ]
      : []),
    ...(mayConfigure && offers(context, 'ttlIndexes')
      ? [
          action(`index ${name}`, {
            label: t`Create TTL index…`,
            detail: name,
            icon: 'plus',
            disabled,
            run: () => goTo(toCreateIndex(name)),
          }),
          action(`drop ${name}`, {
            label: t`Drop collection…`,
            detail: name,
            icon: 'trash',
            destroys: true,
            disabled,
            run: () => goTo(toCollection(name, 'timeline', { drop: 'collection' })),
          }),
        ]
      : []),
  ];
}

function reaperOf({ name, ttlIndexes, withDeadline }: CollectionSummary, context: CommandContext): Command[] {
  const { reaper, lost: disabled, mayConfigure } = context;
  if (!mayConfigure || !offers(context, 'reaper') || (ttlIndexes === 0 && withDeadline === 0)) return [];
  const isPaused = reaper?.pausedCollections.some(({ collection }) => collection === name) ?? false;
  const offer = offerFor(name, reaper, { kind: 'collection', isPaused });
  return [
    ...(offer.pause === null
      ? []
      : [
          action(`${offer.pause} ${name}`, {
            label: offer.pause === 'pause' ? t`Pause collection` : t`Resume paused collection`,
            detail: name,
            icon: offer.pause === 'pause' ? 'paused' : 'running',
            disabled,
            run: () =>
              void (offer.pause === 'pause'
                ? pauseReaper({ collection: name })
                : resumeReaper({ collection: name })),
          }),
        ]),
    ...(offer.run && offers(context, 'runPass')
      ? [
          action(`run ${name}`, {
            label: t`Run a pass now`,
            detail: t`over ${name}`,
            icon: 'next',
            disabled,
            run: () => void runPass({ collection: name }),
          }),
        ]
      : []),
  ];
}
