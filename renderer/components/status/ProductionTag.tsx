import { Icon } from '../controls/Icon.tsx';

/** Marks what is in production, by icon and word. */
export function ProductionTag({ title }: { title?: string }) {
  return (
    <span
      className="tagenv prod"
      title={title ?? 'Production: every change is asked about before it is made'}
    >
      <Icon name="warn" size={12} />
      Production
    </span>
  );
}
