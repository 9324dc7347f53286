import { t } from '@lingui/core/macro';
import { Badge } from '@mantine/core';
import { Icon } from '../controls/Icon.tsx';

export function ProductionTag({ title }: { title?: string }) {
  return (
    <Badge
      variant="production"
      leftSection={<Icon name="warn" size={12} />}
      title={title ?? t`Production: every change must be confirmed`}
    >{t`Production`}</Badge>
  );
}
