import { plural, t } from '@lingui/core/macro';
import type { PolicyDiff } from '../../../../shared/contract/policy.ts';
import { toSettings } from '../../../components/navigation/location.ts';
import { formatCount } from '../../../i18n/format.ts';
import type { Finder } from './finding.ts';

/** The expiration of the store differs from its expected policy. */
export const policyDrift: Finder = ({ drift }) => {
  if (drift === null || drift.driftCount === 0) return [];
  return [
    {
      id: 'policy/drift',
      severity: 'warning',
      icon: 'skew',
      collection: null,
      title: t`The store differs from its policy`,
      sentence: formatDrift(drift),
      todo: t`Apply the policy, or export the present state as the new one.`,
      fixes: [{ label: t`Show the differences…`, href: toSettings('policy') }],
      weight: drift.driftCount,
    },
  ];
};

/** `3 differences from the policy, in sessions, carts and 1 more.` */
export function formatDrift({ drift, driftCount }: Pick<PolicyDiff, 'drift' | 'driftCount'>): string {
  const names = [...new Set(drift.map(({ collection }) => collection))];
  const shown = names.slice(0, MOST_NAMED).join(', ');
  const more = names.length - MOST_NAMED;
  const count = plural(driftCount, {
    one: '# difference from the policy',
    other: '# differences from the policy',
  });
  return more > 0 ? t`${count}, in ${shown} and ${formatCount(more)} more.` : t`${count}, in ${shown}.`;
}

const MOST_NAMED = 3;
