import { t } from '@lingui/core/macro';
import { DatePicker } from '@mantine/dates';
import '@mantine/dates/styles.layer.css';
import classes from './instant-field.module.css';

interface CalendarProps {
  /** `2026-12-24`. */
  day: string;
  onPick: (day: string) => void;
}

/** A calendar of one month; weeks begin on Monday. Loaded when it is first opened. */
export function Calendar({ day, onPick }: CalendarProps) {
  return (
    <DatePicker
      value={day}
      defaultDate={day}
      size="xs"
      highlightToday
      classNames={{ day: classes.day ?? '', calendarHeaderControl: classes.control ?? '' }}
      ariaLabels={{ nextMonth: t`Next month`, previousMonth: t`Previous month` }}
      onChange={next => next !== null && onPick(next)}
    />
  );
}
