import type { Settings } from '../../../shared/contract/settings.ts';
import type { Kind } from './setting-text.ts';

export interface SettingField {
  name: keyof Settings;
  label: string;
  kind: Kind;
  /** Effect of the setting, in one sentence. */
  means: string;
  /** The meaning of 0, if 0 is special. */
  zero?: string;
  /** The unit of a count; other kinds include it in their text. */
  unit?: string;
}

export interface SettingGroup {
  title: string;
  /** Description below the title. */
  about: string;
  fields: readonly SettingField[];
}

/** The settings of a store, with labels. */
export const SETTING_GROUPS: Readonly<Record<'removal' | 'holds' | 'keeping', readonly SettingGroup[]>> = {
  removal: [
    {
      title: 'Limits',
      about: 'Defaults for indexes without limits of their own, in effect from the next batch on.',
      fields: [
        {
          name: 'removalsPerSecond',
          label: 'Removals per second',
          kind: 'count',
          means: 'Documents that one index removes per second, at most.',
          unit: 'a second',
          zero: 'unlimited',
        },
        {
          name: 'mostPerPass',
          label: 'Removals per pass',
          kind: 'count',
          means: 'Documents that one pass of a collection removes, at most.',
          unit: 'documents',
          zero: 'no limit',
        },
        {
          name: 'mostPerPassInTotal',
          label: 'All passes together',
          kind: 'count',
          means: 'Documents that all running passes remove together, at most.',
          unit: 'documents',
          zero: 'no limit',
        },
      ],
    },
    {
      title: 'Batches',
      about: 'The reaper removes documents in batches. Writes wait while a batch runs.',
      fields: [
        {
          name: 'batchMs',
          label: 'Batch time',
          kind: 'ms',
          means: 'Longest time of one batch.',
        },
        {
          name: 'batchMsWhileCallsWait',
          label: 'Time while calls wait',
          kind: 'ms',
          means: 'Longest time of one batch while calls wait.',
        },
        {
          name: 'batchSize',
          label: 'Batch size',
          kind: 'count',
          means: 'Documents in one batch, at most.',
          unit: 'documents',
          zero: 'unlimited',
        },
      ],
    },
  ],
  holds: [
    {
      title: 'Confirmation',
      about:
        'A change that makes more documents due than both limits shows its effect and is confirmed first.',
      fields: [
        {
          name: 'confirmShare',
          label: 'Share',
          kind: 'share',
          means: 'Share of the documents of the collection.',
          unit: 'of its documents',
        },
        {
          name: 'confirmDocuments',
          label: 'Documents',
          kind: 'count',
          means: 'Number of documents.',
          unit: 'documents',
        },
      ],
    },
    {
      title: 'Circuit breaker',
      about: 'A change that makes more documents due at once than both limits is held until confirmed.',
      fields: [
        {
          name: 'breakerShare',
          label: 'Share',
          kind: 'share',
          means: 'Share of the documents of the collection.',
          unit: 'of its documents',
        },
        {
          name: 'breakerDocuments',
          label: 'Documents',
          kind: 'count',
          means: 'Number of documents.',
          unit: 'documents',
        },
      ],
    },
    {
      title: 'Clock jumps and closed stores',
      about: 'If it is uncertain which documents are due, nothing is removed until confirmed.',
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
          means:
            'If a store was closed for longer, collections in which documents became due meanwhile are held.',
          zero: 'however short',
        },
      ],
    },
  ],
  keeping: [
    {
      title: 'Restoring',
      about: 'Expired documents and dropped collections can be restored until their retention ends.',
      fields: [
        {
          name: 'retention',
          label: 'Kept for',
          kind: 'seconds',
          means: 'Default for indexes without retention of their own, and for expirations set by hand.',
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
      about: 'Watchers and followers read it. Those that fall behind its oldest change must start over.',
      fields: [
        { name: 'logSeconds', label: 'Kept for', kind: 'seconds', means: 'Older changes are deleted.' },
        {
          name: 'logBytes',
          label: 'At most',
          kind: 'bytes',
          means: 'Above this, the oldest changes are deleted.',
        },
      ],
    },
  ],
};
