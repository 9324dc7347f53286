import { Kbd } from '../../components/controls/Kbd.tsx';
import { Dialog } from '../../components/overlays/Dialog.tsx';
import classes from './palette/palette.module.css';

const GROUPS: readonly (readonly [
  group: string,
  keys: readonly (readonly [action: string, keys: string])[],
])[] = [
  [
    'Anywhere',
    [
      ['Search or run a command', 'Ctrl K'],
      ['Open a file', 'Ctrl O'],
      ['Add a connection', 'Ctrl ⇧ O'],
      ['Back, forward', 'Alt ←, Alt →'],
      ['Collapse the sidebar', 'Ctrl B'],
      ['UTC or local time', 'Ctrl ⇧ U'],
      ['Light, dark, system', 'Ctrl ⇧ L'],
      ['This list', '?'],
    ],
  ],
  [
    'Timeline',
    [
      ['Zoom to 1 m, 1 h, 1 d, 30 d, all', '1 – 5'],
      ['Zoom in, out', '+, −'],
      ['Next, previous bucket', '→, ←'],
      ['Next, previous cliff', '⇧ →, ⇧ ←'],
      ['Bucket of now', 'Home'],
      ['Open its documents', '↵'],
      ['Back to now', 'N'],
      ['Chart or table', 'T'],
    ],
  ],
  [
    'Health',
    [
      ['Next, previous minute', '→, ←'],
      ['Ten minutes forward, back', '⇧ →, ⇧ ←'],
      ['First, last minute', 'Home, End'],
      ['Chart or table', 'T'],
    ],
  ],
  [
    'Documents',
    [
      ['Filter', '/'],
      ['Next, previous', 'J, K'],
      ['Open', '↵'],
      ['Select', 'Space'],
      ['Extend selection', '⇧ ↓, ⇧ ↑'],
      ['Select all loaded', 'Ctrl A'],
      ['Set expiration', 'E'],
      ['Delete', 'Del'],
      ['Apply staged edits', 'Ctrl ↵'],
      ['Undo', 'Ctrl Z'],
      ['Save the document', 'Ctrl S'],
      ['Close, clear the selection', 'Esc'],
    ],
  ],
  ['TTL index', [['Review, then create or change', 'Ctrl ↵']]],
  [
    'Activity',
    [
      ['Next, previous', 'J, K'],
      ['Stop or follow the feed', 'Space'],
      ['Select entry', 'Space'],
      ['Restore entry', '↵'],
      ['Purge selected', 'Del'],
    ],
  ],
  [
    'Reaper',
    [
      ['Pause or resume', 'Ctrl ⇧ P'],
      ['Run a pass now', 'Ctrl ⇧ R'],
    ],
  ],
];

export function ShortcutList({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Keyboard shortcuts" width={720}>
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
