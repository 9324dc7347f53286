import { ICONS, type IconName } from './icon-paths.tsx';

export type { IconName };

interface IconProps {
  name: IconName;
  /** Size in CSS pixels, 16 by default. */
  size?: 10 | 12 | 14 | 16 | 24;
  className?: string | undefined;
  /** The accessible name, for an icon without text beside it. */
  label?: string;
}

export function Icon({ name, size = 16, className = '', label }: IconProps) {
  const names = `icon ${size === 16 ? '' : `icon-${size}`} ${className}`;
  if (label === undefined) {
    return (
      <svg className={names} viewBox="0 0 16 16" aria-hidden="true">
        {ICONS[name]}
      </svg>
    );
  }
  return (
    <svg className={names} viewBox="0 0 16 16" role="img" aria-label={label}>
      {ICONS[name]}
    </svg>
  );
}
