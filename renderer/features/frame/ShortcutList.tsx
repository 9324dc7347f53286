import { t } from '@lingui/core/macro';
import { isDesktop } from '../../api.ts';
import { Kbd } from '../../components/controls/Kbd.tsx';
import { Dialog } from '../../components/overlays/Dialog.tsx';
import classes from './palette/palette.module.css';

const GROUPS: readonly (readonly [
  group: string,
  keys: readonly (readonly [action: string, keys: string])[],
])[] = [
  [
    t`Anywhere`,
    [
      [t`Search or run a command`, 'Ctrl K'],
      [t`Open a file`, 'Ctrl O'],
      [t`Add a connection`, 'Ctrl ⇧ O'],
      [t`Back, forward`, t`Alt ←, Alt →`],
      [t`New tab, close the tab`, t`Alt T, Alt W`],
      [t`Next, previous tab`, t`Alt PgDn, Alt PgUp`],
      [t`Link in a new tab`, t`Ctrl Click`],
      ...(isDesktop() ? [[t`New window`, 'Ctrl ⇧ N'] as const] : []),
      [t`Collapse the sidebar`, 'Ctrl B'],
      [t`UTC or local time`, 'Ctrl ⇧ U'],
      [t`Light, dark, system`, 'Ctrl ⇧ L'],
      [t`This list`, '?'],
    ],
  ],
  [
    t`Timeline`,
    [
      [t`Zoom to 1 m, 1 h, 1 d, 30 d, all`, '1 – 5'],
      [t`Zoom in, out`, '+, −'],
      [t`Next, previous bucket`, '→, ←'],
      [t`Next, previous cliff`, '⇧ →, ⇧ ←'],
      [t`Bucket of now`, 'Home'],
      [t`Open its documents`, '↵'],
      [t`Back to now`, 'N'],
      [t`Chart or table`, 'T'],
    ],
  ],
  [
    t`Health`,
    [
      [t`Next, previous minute`, '→, ←'],
      [t`Ten minutes forward, back`, '⇧ →, ⇧ ←'],
      [t`First, last minute`, t`Home, End`],
      [t`Chart or table`, 'T'],
    ],
  ],
  [
    t`Documents`,
    [
      [t`Filter`, '/'],
      [t`Next, previous`, 'J, K'],
      [t`Open`, '↵'],
      [t`Cell to the left, right`, '←, →'],
      [t`Edit the cell`, 'F2'],
      [t`Copy the cell or the rows`, 'Ctrl C'],
      [t`Select`, 'Space'],
      [t`Extend selection`, '⇧ ↓, ⇧ ↑'],
      [t`Select all loaded`, 'Ctrl A'],
      [t`Set expiration`, 'E'],
      [t`Delete`, 'Del'],
      [t`Apply staged edits`, 'Ctrl ↵'],
      [t`Undo`, 'Ctrl Z'],
      [t`Save the document`, 'Ctrl S'],
      [t`Close, clear the selection`, 'Esc'],
    ],
  ],
  [t`TTL index`, [[t`Review, then create or change`, 'Ctrl ↵']]],
  [
    t`Activity`,
    [
      [t`Next, previous`, 'J, K'],
      [t`Stop or follow the feed`, 'Space'],
      [t`Select entry`, 'Space'],
      [t`Restore entry`, '↵'],
      [t`Purge selected`, 'Del'],
    ],
  ],
  [
    t`Reaper`,
    [
      [t`Pause or resume`, 'Ctrl ⇧ P'],
      [t`Run a pass now`, 'Ctrl ⇧ R'],
    ],
  ],
];

export function ShortcutList({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Dialog opened={opened} onClose={onClose} title={t`Keyboard shortcuts`} width={720}>
      <div className={classes.keys}>
        {GROUPS.map(([group, keys]) => (
          <section key={group}>
            <h3>{group}</h3>
            {keys.map(([what, names]) => (
              <div key={what}>
                <span>{what}</span>
                <span className="row tight">
                  {names.split(', ').map(name => (
                    <Kbd key={name}>{name}</Kbd>
                  ))}
                </span>
              </div>
            ))}
          </section>
        ))}
      </div>
    </Dialog>
  );
}
