import { t } from '@lingui/core/macro';
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
      title: t`Limits`,
      about: t`Defaults for indexes without limits of their own, in effect from the next batch on.`,
      fields: [
        {
          name: 'removalsPerSecond',
          label: t`Removals per second`,
          kind: 'count',
          means: t`Documents that one index removes per second, at most.`,
          unit: t`a second`,
          zero: t`unlimited`,
        },
        {
          name: 'mostPerPass',
          label: t`Removals per pass`,
          kind: 'count',
          means: t`Documents that one pass of a collection removes, at most.`,
          unit: t`documents`,
          zero: t`no limit`,
        },
        {
          name: 'mostPerPassInTotal',
          label: t`All passes together`,
          kind: 'count',
          means: t`Documents that all running passes remove together, at most.`,
          unit: t`documents`,
          zero: t`no limit`,
        },
      ],
    },
    {
      title: t`Batches`,
      about: t`The reaper removes documents in batches. Writes wait while a batch runs.`,
      fields: [
        {
          name: 'batchMs',
          label: t`Batch time`,
          kind: 'ms',
          means: t`Longest time of one batch.`,
        },
        {
          name: 'batchMsWhileCallsWait',
          label: t`Time while calls wait`,
          kind: 'ms',
          means: t`Longest time of one batch while calls wait.`,
        },
        {
          name: 'batchSize',
          label: t`Batch size`,
          kind: 'count',
          means: t`Documents in one batch, at most.`,
          unit: t`documents`,
          zero: t`unlimited`,
        },
      ],
    },
  ],
  holds: [
    {
      title: t`Confirmation`,
      about: t`A change that makes more documents due than both limits shows its effect and is confirmed first.`,
      fields: [
        {
          name: 'confirmShare',
          label: t`Share`,
          kind: 'share',
          means: t`Share of the documents of the collection.`,
          unit: t`of its documents`,
        },
        {
          name: 'confirmDocuments',
          label: t`Documents`,
          kind: 'count',
          means: t`Number of documents.`,
          unit: t`documents`,
        },
      ],
    },
    {
      title: t`Circuit breaker`,
      about: t`A change that makes more documents due at once than both limits is held until confirmed.`,
      fields: [
        {
          name: 'breakerShare',
          label: t`Share`,
          kind: 'share',
          means: t`Share of the documents of the collection.`,
          unit: t`of its documents`,
        },
        {
          name: 'breakerDocuments',
          label: t`Documents`,
          kind: 'count',
          means: t`Number of documents.`,
          unit: t`documents`,
        },
      ],
    },
    {
      title: t`Clock jumps and closed stores`,
      about: t`If it is uncertain which documents are due, nothing is removed until confirmed.`,
      fields: [
        {
          name: 'clockJump',
          label: t`Clock jump`,
          kind: 'seconds',
          means: t`A jump of the clock beyond this holds the whole store.`,
        },
        {
          name: 'holdAfterDays',
          label: t`Long closed`,
          kind: 'days',
          means: t`If a store was closed for longer, collections in which documents became due meanwhile are held.`,
          zero: t`however short`,
        },
      ],
    },
  ],
  keeping: [
    {
      title: t`Restoring`,
      about: t`Expired documents and dropped collections can be restored until their retention ends.`,
      fields: [
        {
          name: 'retention',
          label: t`Kept for`,
          kind: 'seconds',
          means: t`Default for indexes without retention of their own, and for expirations set by hand.`,
          zero: t`nothing can be restored`,
        },
        {
          name: 'retentionBytes',
          label: t`At most`,
          kind: 'bytes',
          means: t`Above this, the oldest copies are released first.`,
        },
      ],
    },
    {
      title: t`Change log`,
      about: t`Watchers and followers read it. Those that fall behind its oldest change must start over.`,
      fields: [
        { name: 'logSeconds', label: t`Kept for`, kind: 'seconds', means: t`Older changes are deleted.` },
        {
          name: 'logBytes',
          label: t`At most`,
          kind: 'bytes',
          means: t`Above this, the oldest changes are deleted.`,
        },
      ],
    },
  ],
};
