import { Icon } from '../controls/Icon.tsx';

export function ProductionTag({ title }: { title?: string }) {
  return (
    <span className="tagenv prod" title={title ?? 'Production: every change must be confirmed'}>
      <Icon name="warn" size={12} />
      Production
    </span>
  );
}
