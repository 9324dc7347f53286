import { t } from '@lingui/core/macro';
import type { TtlIndex } from '../../../shared/contract/ttl-indexes.ts';
import { goTo, toEditIndex, toIndex } from '../../components/navigation/location.ts';
import { offerFor } from '../../components/status/removal-stopped.ts';
import type { Command } from '../../features/frame/palette/command.ts';
import { pauseIndex, resumeIndex, runIndex } from '../../features/ttl-indexes/list/index-actions.ts';
import { action, type CommandContext, place } from './command-context.ts';

/** Actions on each TTL index. */
export function indexCommands(indexes: readonly TtlIndex[], context: CommandContext): Command[] {
  return indexes.flatMap(index =>
    ofOne(index, context).map(command => ({
      ...command,
      disabled: command.group === 'Actions' && context.lost,
      near: index.collection === context.here,
    })),
  );
}

function ofOne(index: TtlIndex, { reaper, mayConfigure }: CommandContext): Command[] {
  const { name, collection, state, paused } = index;
  const scope = { collection, index: name };
  const id = `${collection}/${name}`;
  const by = paused === null ? '' : t`, paused by ${paused.by}`;
  const offer = offerFor(collection, reaper, { kind: 'index', isPaused: paused !== null });
  const history = place(`history ${id}`, {
    label: t`Policy history of ${name}`,
    detail: t`${collection}; revert a change`,
    icon: 'undo',
    run: () => goTo(toIndex(collection, name)),
  });
  const copy = place(`copy ${id}`, {
    label: t`Copy ${name} as…`,
    detail: t`${collection}; in the syntax of other systems`,
    icon: 'copy',
    run: () => goTo(toIndex(collection, name, { as: 'cli' })),
  });
  if (!mayConfigure) return [history, copy];
  return [
    ...(offer.pause === null
      ? []
      : [
          action(`${offer.pause} ${id}`, {
            label: offer.pause === 'pause' ? t`Pause index ${name}` : t`Resume paused index ${name}`,
            detail: `${collection}${by}`,
            icon: offer.pause === 'pause' ? 'paused' : 'running',
            run: () => void (offer.pause === 'pause' ? pauseIndex(scope) : resumeIndex(scope)),
          }),
        ]),
    ...(state === 'ready' && offer.run
      ? [
          action(`run ${id}`, {
            label: t`Run index ${name} now`,
            detail: collection,
            icon: 'next',
            run: () => void runIndex(scope),
          }),
        ]
      : []),
    action(`edit ${id}`, {
      label: t`Edit index ${name}…`,
      detail: collection,
      icon: 'edit',
      run: () => goTo(toEditIndex(collection, name)),
    }),
    action(`revert ${id}`, {
      label: t`Revert the last change of ${name}…`,
      detail: collection,
      icon: 'undo',
      run: () => goTo(toIndex(collection, name, { revert: 'last' })),
    }),
    action(`drop ${id}`, {
      label: t`Drop index ${name}…`,
      detail: collection,
      icon: 'trash',
      destroys: true,
      run: () => goTo(toIndex(collection, name, { drop: 'index' })),
    }),
    history,
    copy,
  ];
}
