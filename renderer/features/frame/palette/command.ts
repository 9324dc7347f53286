import type { IconName } from '../../../components/controls/Icon.tsx';

/** A command of the palette. */
export interface Command {
  id: string;
  /** `This page`: commands of the current page. */
  group: 'This page' | 'Actions' | 'Go to';
  label: string;
  /** Name of the affected object; also searched. */
  detail: string;
  icon: IconName;
  shortcut?: string;
  /** The command needs the engine, which is not connected. */
  disabled?: boolean;
  /** True: concerns the current collection. False: another collection, listed last. Absent: the whole store. */
  near?: boolean;
  /** The command removes data or a definition, after a confirmation: listed after every other match. */
  destroys?: boolean;
  run: () => void;
}
