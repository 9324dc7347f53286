import type { IconName } from '../../../components/controls/Icon.tsx';

/** A command of the palette. */
export interface Command {
  id: string;
  /** `This page`: commands of the current page. */
  group: 'This page' | 'Actions' | 'Go to';
  label: string;
  /** Name of the object that it acts on, also searched. */
  detail: string;
  icon: IconName;
  shortcut?: string;
  /** Needs the engine, which is not connected. */
  disabled?: boolean;
  /** True: about the current collection. False: about another one, listed last. Absent: about the whole store. */
  near?: boolean;
  /** Removes data or a definition, after a confirmation: listed after every other match. */
  destroys?: boolean;
  run: () => void;
}
