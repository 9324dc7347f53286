import { t } from '@lingui/core/macro';
import type { Hold } from '../../../../shared/contract/reaper.ts';
import { toCollection } from '../../../components/navigation/location.ts';
import { formatDuration } from '../../../i18n/format.ts';
import { formatRecordCount } from '../../../i18n/format-engine-words.ts';
import { formatHold } from '../../../i18n/format-hold.ts';
import type { Facts, Finder, Finding, Fix } from './finding.ts';

/** A longer pause is reported, ms. */
const LONG_PAUSE_MS = 15 * 60_000;

/** Least duration of a hold that is stated, ms. */
const LONG_HOLD_MS = 60_000;

const isClock = ({ cause }: Hold) => cause === 'clock forward' || cause === 'clock backward';

function overdueOf({ collections }: Facts, name: string | null): number {
  return collections.reduce(
    (sum, summary) => (name === null || summary.name === name ? sum + summary.overdue : sum),
    0,
  );
}

/** The clock jumped: the due documents are uncertain until a person confirms [R10]. */
export const clockJumped: Finder = facts =>
  facts.reaper.holds.filter(isClock).map(hold => ({
    ...heldFinding(facts, hold),
    icon: 'skew' as const,
    title: hold.cause === 'clock forward' ? t`The clock jumped ahead` : t`The clock jumped back`,
    todo: t`Check this machine’s time, then confirm.`,
  }));

/** Removal held until it is confirmed [R8, R9]. */
export const held: Finder = facts =>
  facts.reaper.holds.filter(hold => !isClock(hold)).map(hold => heldFinding(facts, hold));

function heldFinding({ now }: Facts, hold: Hold): Finding {
  const { id, collection, index, due, since } = hold;
  const look: Fix[] =
    collection === null
      ? []
      : [
          index === null
            ? {
                label: t`List overdue`,
                href: toCollection(collection, 'documents', { state: 'overdue', includeExpired: 'true' }),
              }
            : { label: t`Show the index`, href: toCollection(collection, 'ttl-indexes') },
        ];
  const confirm: Fix = { label: t`Confirm`, action: { is: 'confirm', hold: id } };
  const [first = confirm, ...rest] = [...look, confirm];
  const held = collection ?? t`The store`;
  return {
    id: `held/${id}`,
    severity: 'urgent',
    icon: 'held',
    collection,
    title:
      now - since < LONG_HOLD_MS ? t`${held} is held` : t`${held} is held for ${formatDuration(now - since)}`,
    sentence: formatHold(hold),
    todo: t`Nothing is removed until it is confirmed.`,
    fixes: [first, ...rest],
    weight: due,
  };
}

/** Removal paused for more than 15 minutes: possibly forgotten [R6]. */
export const pausedForLong: Finder = facts => {
  const { now, reaper } = facts;
  const pauses = [
    ...(reaper.paused === null ? [] : [{ ...reaper.paused, collection: null, index: null }]),
    ...reaper.pausedCollections.map(pause => ({ ...pause, index: null })),
    ...reaper.pausedIndexes,
  ];
  return pauses
    .filter(({ since }) => now - since >= LONG_PAUSE_MS)
    .map(({ collection, index, by, since }): Finding => {
      const overdue = overdueOf(facts, collection);
      const name = index ?? collection ?? t`The whole store`;
      return {
        id: `paused/${collection ?? ''}/${index ?? ''}/${since}`,
        severity: overdue > 0 ? 'warning' : 'note',
        icon: 'paused',
        collection,
        title: t`${name} is paused for ${formatDuration(now - since)}`,
        sentence:
          overdue === 0
            ? index === null
              ? t`By ${by}; nothing is overdue yet.`
              : t`By ${by}; nothing is overdue in ${collection} yet.`
            : index === null
              ? t`By ${by}. Overdue, and not removed: ${formatRecordCount(facts.words, overdue)}.`
              : t`By ${by}. Overdue in ${collection}, and not removed: ${formatRecordCount(facts.words, overdue)}.`,
        todo: t`Resume it if the pause is no longer needed.`,
        fixes: [
          { label: t`Resume`, action: { is: 'resume', collection, index } },
          ...(collection === null
            ? []
            : [
                {
                  label: t`List overdue`,
                  href: toCollection(collection, 'documents', { state: 'overdue', includeExpired: 'true' }),
                },
              ]),
        ],
        weight: overdue,
      };
    });
};
