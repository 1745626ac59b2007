import css from './meter.module.css';

interface MeterProps {
  readonly label: string;
  readonly value: number;
  readonly max: number;
  readonly marks?: readonly number[];
  readonly tone?: 'accent' | 'warn' | 'bad';
}

/** How much of a limit is used, with marks at percentages of it. */
export function Meter({ label, value, max, marks = [], tone = 'accent' }: MeterProps) {
  const percent = max <= 0 ? 0 : Math.min(100, (value / max) * 100);
  return (
    <div
      className={css.meter}
      role="meter"
      aria-label={label}
      aria-valuenow={Math.min(value, max)}
      aria-valuemin={0}
      aria-valuemax={max}
    >
      <div className={css.fill} data-tone={tone} style={{ width: `${percent}%` }} />
      {marks
        .filter((mark) => mark < 100)
        .map((mark) => (
          <div key={mark} className={css.mark} style={{ left: `${mark}%` }} />
        ))}
    </div>
  );
}
