import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { changePercent, formatCredits, formatNumber } from '../../format/credits.js';
import { dayOf, monthName } from '../../format/days.js';
import { formatDistance, formatStretch } from '../../format/moments.js';
import { formatMoney, moneyOf, type CreditPrice } from '../../format/money.js';
import { Figure, Figures } from '../../ui/figures.js';
import { Moment } from '../../ui/moment.js';
import { useBillingZone } from '../../ui/zones.js';
import { useAccount, useAccountNow } from '../session.js';
import { nextTuesdayCost } from './next-tuesday-cost.js';
import type { Forecast } from '../../rest/answers.js';
import { portal } from '../../rest/portal.js';
import { one } from '../../rest/reads.js';

interface HeadlineProps {
  /** Credits that the window before had cost by this time of it. */
  readonly before: number | undefined;
  /** Credits of the month so far. */
  readonly month: number | undefined;
}

/** The numbers that one comes for: what is left, the month's cost, and next Tuesday's. */
export function Headline({ before, month }: HeadlineProps) {
  const account = useAccount();
  const zone = useBillingZone();
  const forecast = useQuery(one(portal.getForecast())).data;
  const draft = useQuery({ ...one(portal.getInvoiceDraft()), enabled: account.plan !== null }).data;
  const name = monthName(dayOf(account.now, zone));
  const price = forecast?.credit_price ?? null;
  const { month_credits: expected } = account.forecast;
  const bill = (total: number | undefined) =>
    draft && total !== undefined ? formatMoney(total, draft.currency) : undefined;
  return (
    <Figures>
      <Figure name="Balance" note={<LastsUntil />}>
        {formatNumber(account.balance)}
      </Figure>
      <Cost name={`${name} so far`} credits={month} price={price} bill={bill(draft?.total)} />
      <Cost
        name={`Expected in ${name}`}
        credits={expected}
        price={price}
        bill={bill(draft?.forecast.total)}
        more={account.forecast.confidence === 'low' ? ' (a first guess)' : ''}
      />
      <NextTuesday days={forecast?.days} price={price} />
      <Figure name={`Spent in window ${account.window}`} note={<Pace before={before} />}>
        {formatNumber(account.window_credits_used)}
      </Figure>
    </Figures>
  );
}

interface NextTuesdayProps {
  readonly days: Forecast['days'] | undefined;
  readonly price: CreditPrice | null;
}

/** With a plan what it adds to an invoice: credits that the account has already add nothing. */
function NextTuesday({ days, price }: NextTuesdayProps) {
  const account = useAccount();
  const zone = useBillingZone();
  const { next_window_credits: credits } = account.forecast;
  const cost = days === undefined ? null : nextTuesdayCost(account, days, zone);
  const name = 'Expected next Tuesday';
  if (cost === null) {
    return <Cost name={name} credits={credits} price={price} more={<Rollover />} />;
  }
  const worth = cost.billed > 0 && moneyOf(cost.billed, cost.price);
  const part = cost.billed < credits ? `, ${formatNumber(cost.billed)} of them billed` : '';
  return (
    <Figure
      name={name}
      note={
        <>
          {worth
            ? `${formatCredits(credits)}${part}, before tax,`
            : 'credits, none of them billed,'}
          <Rollover />
        </>
      }
    >
      {worth ? `≈ ${worth}` : formatNumber(credits)}
    </Figure>
  );
}

interface CostProps {
  readonly name: string;
  readonly credits: number | undefined;
  readonly price: CreditPrice | null;
  /** The sum of an invoice, where one is sent. */
  readonly bill?: string | undefined;
  readonly more?: ReactNode;
}

/** Credits in money where they have a price. */
function Cost({ name, credits, price, bill, more }: CostProps) {
  const worth = credits === undefined ? undefined : moneyOf(credits, price);
  const money = bill ?? (worth && `≈ ${worth}`);
  return (
    <Figure
      name={name}
      note={
        <>
          {money !== undefined && credits !== undefined && formatCredits(credits)}
          {money === undefined && price === null && 'credits'}
          {more}
        </>
      }
    >
      {money ?? (credits === undefined ? '…' : formatNumber(credits))}
    </Figure>
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
  const { window_ends_at: endsAt } = useAccount();
  const left = Date.parse(endsAt) - useAccountNow();
  return (
    <>
      {' '}
      for the first calls, from <Moment at={endsAt} /> on: in {formatStretch(left)}
    </>
  );
}
