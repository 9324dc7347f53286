import { record } from './record.ts';
import { strict } from './strict.ts';

/** Electron's roles that the app uses. Any other role throws. */
const ROLES =
  'appMenu about quit close editMenu windowMenu help reload resetZoom zoomIn zoomOut togglefullscreen toggleDevTools'.split(
    ' ',
  );

export interface ItemTemplate {
  id?: string;
  label?: string;
  role?: string;
  type?: string;
  accelerator?: string;
  registerAccelerator?: boolean;
  checked?: boolean;
  submenu?: ItemTemplate[];
  click?: (item: unknown, window: unknown, event: unknown) => void;
}

class DoubleItem {
  readonly id: string | undefined;
  readonly label: string;
  readonly role: string | undefined;
  readonly accelerator: string | undefined;
  readonly registerAccelerator: boolean;
  readonly submenu: DoubleMenu | undefined;
  checked: boolean;
  readonly click: (event?: unknown, window?: unknown) => void;

  constructor(template: ItemTemplate) {
    const { role, type, label, click, submenu } = template;
    if (role !== undefined && !ROLES.includes(role))
      throw new Error(`the Electron double has no role ${role}`);
    if (role === undefined && label === undefined && type !== 'separator') {
      throw new Error('a menu item needs a label, a role or a type');
    }
    this.id = template.id;
    this.label = label ?? role ?? '';
    this.role = role;
    this.accelerator = template.accelerator;
    this.registerAccelerator = template.registerAccelerator ?? true;
    this.submenu = submenu && new DoubleMenu(submenu);
    this.checked = template.checked ?? false;
    this.click = (event, window) => {
      if (type === 'checkbox') this.checked = !this.checked;
      click?.(this, window, event);
    };
  }
}

class DoubleMenu {
  readonly items: DoubleItem[];
  constructor(template: ItemTemplate[]) {
    this.items = template.map(item => new DoubleItem(item));
  }
  getMenuItemById(id: string): DoubleItem | null {
    for (const item of this.items) {
      const found = item.id === id ? item : item.submenu?.getMenuItemById(id);
      if (found) return found;
    }
    return null;
  }
}

let current: DoubleMenu | null = null;

export const Menu = strict('Menu', {
  buildFromTemplate: (template: ItemTemplate[]) => new DoubleMenu(template),
  setApplicationMenu(menu: DoubleMenu | null): void {
    record('Menu.setApplicationMenu', menu);
    current = menu;
  },
  getApplicationMenu: () => current,
});
