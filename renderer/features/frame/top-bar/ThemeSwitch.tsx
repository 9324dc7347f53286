import { t } from '@lingui/core/macro';
import { IconButton } from '../../../components/controls/Button.tsx';
import type { IconName } from '../../../components/controls/Icon.tsx';
import { Menu } from '../../../components/overlays/Menu.tsx';
import { setTheme, THEMES, type Theme, useIsDark, useTheme } from '../../../theme/theme.ts';

const ICON: Record<Theme, IconName> = { system: 'window', light: 'sun', dark: 'moon' };

const LABELS: Record<Theme, string> = { system: t`System`, light: t`Light`, dark: t`Dark` };

export function ThemeSwitch() {
  const theme = useTheme();
  const dark = useIsDark();
  return (
    <Menu
      target={
        <IconButton
          icon={dark ? 'moon' : 'sun'}
          iconSize={16}
          label={t`Theme: ${LABELS[theme]}`}
          shortcut="Ctrl ⇧ L"
        />
      }
      groups={[
        THEMES.map(choice => ({
          label: LABELS[choice],
          icon: choice === theme ? 'check' : ICON[choice],
          onSelect: () => setTheme(choice),
        })),
      ]}
    />
  );
}
