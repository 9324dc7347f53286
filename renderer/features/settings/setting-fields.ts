import type { Settings } from '../../../shared/contract/settings.ts';
import type { Kind } from './setting-text.ts';

export interface SettingField {
  name: keyof Settings;
  label: string;
  kind: Kind;
  /** Its effect, in one sentence. */
  means: string;
  /** The meaning of 0, if 0 is special. */
  zero?: string;
  /** The unit of a count; other kinds include it in their text. */
  unit?: string;
}

export interface SettingGroup {
  title: string;
  /** Members of all kinds of settings. */
  about: string;
  fields: readonly SettingField[];
}

/** The settings of a store, with labels. */
export const SETTING_GROUPS: Readonly<Record<'removal' | 'holds' | 'keeping', readonly SettingGroup[]>> = {
  removal: [
    {
      title: 'Limits',
      about: 'For every index that sets none of its own. They hold from the next batch on.',
      fields: [
        {
          name: 'removalsPerSecond',
          label: 'Removals a second',
          kind: 'count',
          means: 'The most documents that one index removes in a second.',
          unit: 'a second',
          zero: 'unlimited',
        },
        {
          name: 'mostPerPass',
          label: 'Removals a pass',
          kind: 'count',
          means: 'The most documents that one pass of a collection removes.',
          unit: 'documents',
          zero: 'no limit',
        },
        {
          name: 'mostPerPassInTotal',
          label: 'Of all passes',
          kind: 'count',
          means: 'The same for all passes that run at once.',
          unit: 'documents',
          zero: 'no limit',
        },
      ],
    },
    {
      title: 'Batches',
      about: 'The reaper removes in batches. Writes wait while one of them holds the writer.',
      fields: [
        {
          name: 'batchMs',
          label: 'Time of a batch',
          kind: 'ms',
          means: 'How long one batch may hold the writer.',
        },
        {
          name: 'batchMsWhileCallsWait',
          label: 'While calls wait',
          kind: 'ms',
          means: 'The same while somebody waits for an answer.',
        },
        {
          name: 'batchSize',
          label: 'Documents a batch',
          kind: 'count',
          means: 'The most documents in one batch.',
          unit: 'documents',
          zero: 'unlimited',
        },
      ],
    },
  ],
  holds: [
    {
      title: 'Circuit breaker',
      about: 'A change that makes more than both due at once is held until somebody confirms it.',
      fields: [
        {
          name: 'breakerShare',
          label: 'Share',
          kind: 'share',
          means: 'So much of the collection.',
          unit: 'of its documents',
        },
        {
          name: 'breakerDocuments',
          label: 'Documents',
          kind: 'count',
          means: 'And more than so many.',
          unit: 'documents',
        },
      ],
    },
    {
      title: 'Clock and long absence',
      about: 'Where nobody can be sure what is due, nothing is removed until somebody confirms.',
      fields: [
        {
          name: 'clockJump',
          label: 'Clock jump',
          kind: 'seconds',
          means: 'A jump of the clock beyond this holds the whole store.',
        },
        {
          name: 'holdAfterDays',
          label: 'Long closed',
          kind: 'days',
          means: 'A store closed for longer holds what fell due meanwhile.',
          zero: 'however short',
        },
      ],
    },
  ],
  keeping: [
    {
      title: 'Restoring',
      about: 'What expired and what was dropped can be brought back for a while.',
      fields: [
        {
          name: 'retention',
          label: 'Kept for',
          kind: 'seconds',
          means: 'For every index that says nothing else, and for expirations set by hand.',
          zero: 'nothing can be restored',
        },
        {
          name: 'retentionBytes',
          label: 'At most',
          kind: 'bytes',
          means: 'Above this, the oldest copies are released first.',
        },
      ],
    },
    {
      title: 'Change log',
      about: 'What watchers and followers read. Whoever falls behind it begins anew.',
      fields: [
        { name: 'logSeconds', label: 'Kept for', kind: 'seconds', means: 'Older changes are forgotten.' },
        { name: 'logBytes', label: 'At most', kind: 'bytes', means: 'Or, whichever is less, so much of it.' },
      ],
    },
  ],
};
