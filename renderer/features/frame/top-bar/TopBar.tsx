import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { IconButton } from '../../../components/controls/Button.tsx';
import { Icon } from '../../../components/controls/Icon.tsx';
import { Kbd } from '../../../components/controls/Kbd.tsx';
import { keysHere } from '../../../components/controls/platform.ts';
import { toggleRail, useRailFolded } from '../rail/rail-fold.ts';
import { ClockAndZone } from './ClockAndZone.tsx';
import { ConnectionBadge } from './ConnectionBadge.tsx';
import { Crumb } from './Crumb.tsx';
import { ThemeSwitch } from './ThemeSwitch.tsx';

interface TopBarProps {
  onSearch: () => void;
  /** True on the start page: no sidebar, breadcrumb and reaper status. */
  bare: boolean;
  reaper: ReactNode;
}

export function TopBar({ onSearch, bare, reaper }: TopBarProps) {
  const folded = useRailFolded();
  return (
    <header className="top">
      <div className="row tight">
        {folded && !bare && (
          <IconButton icon="window" label={t`Show the sidebar`} shortcut="Ctrl B" onClick={toggleRail} />
        )}
        <IconButton
          className="step"
          icon="left"
          label={t`Back`}
          shortcut="Alt ←"
          onClick={() => history.back()}
        />
        <IconButton
          className="step"
          icon="right"
          label={t`Forward`}
          shortcut="Alt →"
          onClick={() => history.forward()}
        />
      </div>
      {!bare && <Crumb />}
      <ConnectionBadge />
      <button
        type="button"
        className="search"
        aria-label={t`Search or run a command`}
        title={t`Search or run a command  ${keysHere('Ctrl K')}`}
        onClick={onSearch}
      >
        <Icon name="search" size={14} />
        <span className="ell">{t`Search or run a command`}</span>
        <Kbd>Ctrl K</Kbd>
      </button>
      {!bare && reaper}
      <ClockAndZone />
      <ThemeSwitch />
    </header>
  );
}
