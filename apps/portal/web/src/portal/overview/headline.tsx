import type { ReactNode } from 'react';
import {
  changePercent,
  formatCount,
  formatCredits,
  formatNumber,
  formatShare,
} from '../../format/credits.js';
import { formatDistance, formatStretch } from '../../format/moments.js';
import { Moment } from '../../ui/moment.js';
import { useAccount, useAccountNow } from '../session.js';
import type { WindowSpend } from './window-spend.js';
import css from './overview.module.css';

interface HeadlineProps {
  /** Credits that the window before had cost by this time of it. */
  readonly before: number | undefined;
  readonly windows: readonly WindowSpend[] | undefined;
}

/** The four numbers that one comes for. */
export function Headline({ before, windows }: HeadlineProps) {
  const account = useAccount();
  const running = windows?.find(({ window }) => window === account.window);
  return (
    <dl className={css.figures}>
      <Figure name="Balance" note={<LastsUntil />}>
        {formatNumber(account.balance)}
      </Figure>
      <Figure name="Spent this window" note={<Pace before={before} />}>
        {formatNumber(account.window_credits_used)}
      </Figure>
      <Rollover />
      <Figure
        name="Base against repeat"
        note={
          running === undefined
            ? 'No calls in this window yet'
            : `${formatCount(running.repeats, 'repeat costs', 'repeats cost')} ${formatCredits(running.repeat)}`
        }
      >
        {running === undefined
          ? '–'
          : `${formatShare(running.base / Math.max(1, running.base + running.repeat))} base`}
      </Figure>
    </dl>
  );
}

interface FigureProps {
  readonly name: string;
  readonly note: ReactNode;
  readonly children: ReactNode;
}

function Figure({ name, note, children }: FigureProps) {
  return (
    <div className={css.figure}>
      <dt>{name}</dt>
      <dd className={css.value}>{children}</dd>
      <dd className={css.note}>{note}</dd>
    </div>
  );
}

function LastsUntil() {
  const { forecast, available_credits: available, now } = useAccount();
  if (available === null) return 'No limit: what is beyond is billed';
  const { exhausted_at: at, balance_exhausted_at: balance, confidence } = forecast;
  if (at === null) return 'Lasts on if you go on as you did';
  const overdraft = balance !== null && balance !== at;
  return (
    <>
      Lasts until <Moment at={at} dateOnly />, {formatDistance(at, Date.parse(now))}
      {overdraft && (
        <>
          , with the overdraft that begins <Moment at={balance} dateOnly />
        </>
      )}
      {confidence === 'low' && ' (a first guess)'}
    </>
  );
}

function Pace({ before }: Pick<HeadlineProps, 'before'>) {
  const { window_credits_used: now } = useAccount();
  if (before === undefined) return '…';
  const percent = changePercent(now, before);
  if (percent === null) return 'Last window had no calls by now';
  const size = `${Math.abs(percent).toFixed(0)} %`;
  return `${size} ${percent >= 0 ? 'more' : 'less'} than last window by now`;
}

/** Counts down to the moment at which every URL costs its base rate again. */
function Rollover() {
  const { window, window_ends_at: endsAt } = useAccount();
  const left = Date.parse(endsAt) - useAccountNow();
  return (
    <Figure
      name={`Window ${window} ends in`}
      note={
        <>
          Tuesday, <Moment at={endsAt} />
        </>
      }
    >
      {formatStretch(left)}
    </Figure>
  );
}
