import { t } from '@lingui/core/macro';
import { goTo, toActivity, toHealth, toOverview, toSettings } from '../../components/navigation/location.ts';
import type { Command } from '../../features/frame/palette/command.ts';
import { offeredSections } from '../../features/settings/sections.ts';
import { type CommandContext, offers, place } from './command-context.ts';

/** Pages about the whole store. */
export function navigationCommands(context: CommandContext): Command[] {
  const { store } = context;
  return [
    place('overview', {
      label: t`Overview`,
      detail: store,
      icon: 'overview',
      run: () => goTo(toOverview()),
    }),
    place('activity', {
      label: t`Activity`,
      detail: t`live feed of changes`,
      icon: 'activity',
      run: () => goTo(toActivity()),
    }),
    place('expired', {
      label: t`Expired documents`,
      detail: t`restore or purge documents and dropped collections`,
      icon: 'undo',
      run: () => goTo(toActivity('expired')),
    }),
    ...(offers(context, 'reaper')
      ? [
          place('passes', {
            label: t`Passes`,
            detail: t`history of the reaper`,
            icon: 'next',
            run: () => goTo(toActivity('passes')),
          }),
        ]
      : []),
    place('health', {
      label: t`Health`,
      detail: t`charts and findings`,
      icon: 'health',
      run: () => goTo(toHealth()),
    }),
    ...offeredSections(context.capabilities).map(({ section, label, detail }) =>
      place(`settings ${section}`, {
        label: t`Settings: ${label}`,
        detail,
        icon: 'gear',
        run: () => goTo(toSettings(section)),
      }),
    ),
  ];
}
