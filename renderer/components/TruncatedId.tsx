import { visibleText } from '../../shared/model/visible-text.ts';
import styles from './truncated-id.module.css';

/** Characters at the end that are always shown: generated ids differ there. */
const END = 6;

/** An `_id` that is cut in its middle where it does not fit. */
export function TruncatedId({ id, className = '' }: { id: string; className?: string }) {
  const text = visibleText(id);
  if (text.length <= 2 * END) return <span className={`mono ell ${className}`}>{text}</span>;
  return (
    <span className={`mono ${styles.id} ${className}`}>
      <span className={styles.start}>{text.slice(0, -END)}</span>
      <span>{text.slice(-END)}</span>
    </span>
  );
}
