import { t } from '@lingui/core/macro';
import { closeTab, openTab } from '../../components/navigation/tabs.ts';
import { setZone } from '../../components/time/clock.ts';
import type { Command } from '../../features/frame/palette/command.ts';
import { toggleRail } from '../../features/frame/rail/rail-fold.ts';
import { repeatTour } from '../../features/frame/tour/tour-store.ts';
import { setTheme, THEMES, type Theme } from '../../theme/theme.ts';
import { action, type CommandContext } from './command-context.ts';
import { openDialog } from './dialogs.ts';

const THEME_LABELS: Record<Theme, string> = { system: 'system', light: 'light', dark: 'dark' };
const THEME_ICONS = { system: 'window', light: 'sun', dark: 'moon' } as const;

/** Commands of the window, which need no engine. */
export function frameCommands({ theme, zone }: CommandContext): Command[] {
  const other = zone === 'utc' ? 'local' : 'utc';
  return [
    action('zone', {
      label: other === 'utc' ? t`Show times in UTC` : t`Show times in local time`,
      detail: t`UTC or local time`,
      icon: 'swap',
      shortcut: 'Ctrl ⇧ U',
      run: () => setZone(other),
    }),
    ...THEMES.filter(choice => choice !== theme).map(choice =>
      action(`theme ${choice}`, {
        label: t`Theme: ${THEME_LABELS[choice]}`,
        icon: THEME_ICONS[choice],
        ...(choice === THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] && { shortcut: 'Ctrl ⇧ L' }),
        run: () => setTheme(choice),
      }),
    ),
    action('rail', {
      label: t`Show or collapse the sidebar`,
      icon: 'window',
      shortcut: 'Ctrl B',
      run: toggleRail,
    }),
    action('keys', {
      label: t`Keyboard shortcuts`,
      icon: 'keyboard',
      shortcut: '?',
      run: () => openDialog('shortcuts'),
    }),
    action('tour', { label: t`Show the tour`, icon: 'info', run: repeatTour }),
    action('new tab', { label: t`New tab`, icon: 'plus', shortcut: 'Alt T', run: () => openTab() }),
    action('close tab', { label: t`Close the tab`, icon: 'x', shortcut: 'Alt W', run: () => closeTab() }),
    action('back', { label: t`Back`, icon: 'left', shortcut: 'Alt ←', run: () => history.back() }),
    action('forward', {
      label: t`Forward`,
      icon: 'right',
      shortcut: 'Alt →',
      run: () => history.forward(),
    }),
  ];
}
