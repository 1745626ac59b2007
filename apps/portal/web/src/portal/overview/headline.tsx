import { useQuery } from '@tanstack/react-query';
import { changePercent, formatCredits, formatNumber } from '../../format/credits.js';
import { dayOf, monthName } from '../../format/days.js';
import { formatDistance, formatStretch } from '../../format/moments.js';
import { formatMoney, moneyOf, type CreditPrice } from '../../format/money.js';
import { Figure, Figures } from '../../ui/figures.js';
import { Meter } from '../../ui/meter.js';
import { Moment } from '../../ui/moment.js';
import { useBillingZone } from '../../ui/zones.js';
import { useAccount, useAccountNow } from '../session.js';
import css from './overview.module.css';
import { nextTuesdayCost } from './next-tuesday-cost.js';
import type { Forecast } from '../../rest/answers.js';
import { portal } from '../../rest/portal.js';
import { one } from '../../rest/reads.js';

interface HeadlineProps {
  /** Credits that the window before had cost by this time of it. */
  readonly before: number | undefined;
  /** Credits of the month and of the week so far, from one read of the calls. */
  readonly month: number | undefined;
  readonly week: number | undefined;
}

/** The numbers that one comes for: the month's cost, what is left, and next Tuesday's cost. */
export function Headline({ before, month, week }: HeadlineProps) {
  const account = useAccount();
  const forecast = useQuery(one(portal.getForecast())).data;
  const price = forecast?.credit_price ?? null;
  return (
    <Figures hasHero>
      <Month credits={month} price={price} />
      <Figure name="Balance" note={<LastsUntil price={price} />}>
        {formatNumber(account.balance)}
      </Figure>
      <NextTuesday days={forecast?.days} price={price} />
      <Figure name={`Spent in week ${account.window}`} note={<Pace before={before} week={week} />}>
        {week === undefined ? '…' : formatNumber(week)}
      </Figure>
    </Figures>
  );
}

interface MonthProps {
  /** Credits so far. */
  readonly credits: number | undefined;
  readonly price: CreditPrice | null;
}

/** The running month: its cost, where a bill is sent with tax, and its expected end. */
function Month({ credits, price }: MonthProps) {
  const { now, plan, forecast } = useAccount();
  const name = monthName(dayOf(now, useBillingZone()));
  const draft = useQuery({ ...one(portal.getInvoiceDraft()), enabled: plan !== null }).data;
  const cost = costOf(credits, price, draft?.total, draft?.currency);
  const expected = costOf(forecast.month_credits, price, draft?.forecast.total, draft?.currency);
  const included = plan?.included_credits ?? 0;
  const tax = draft === undefined ? 0 : draft.total - draft.net;
  return (
    <Figure
      name={`${name} so far`}
      note={
        <>
          {draft && `including ${formatMoney(tax, draft.currency)} tax · `}
          {credits !== undefined && formatCredits(credits)}
          {draft === undefined && price !== null && ', before tax'}
          {included > 0 && credits !== undefined && (
            <>
              {' '}
              of {formatNumber(included)} included
              <Meter label="Included credits used" value={credits} max={included} />
            </>
          )}
          <div className={css.expected}>
            Expected in {name}: <strong>{expected}</strong>
          </div>
        </>
      }
    >
      {cost}
    </Figure>
  );
}

/** The sum of a bill, with tax; else the worth of credits before tax; else credits. */
function costOf(
  credits: number | undefined,
  price: CreditPrice | null,
  bill: number | undefined,
  currency: string | undefined,
): string {
  if (bill !== undefined && currency !== undefined) return formatMoney(bill, currency);
  if (credits === undefined) return '…';
  const worth = moneyOf(credits, price);
  return worth === undefined ? formatCredits(credits) : `≈ ${worth}`;
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
    const worth = moneyOf(credits, price);
    return (
      <Figure
        name={name}
        note={
          <>
            {worth === undefined ? 'credits' : `credits, ≈ ${worth} before tax,`}
            <Rollover />
          </>
        }
      >
        {formatNumber(credits)}
      </Figure>
    );
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

/** Further ahead a forecast is no date. */
const FAR_MS = 2 * 365 * 86_400_000;

function LastsUntil({ price }: { readonly price: CreditPrice | null }) {
  const { forecast, available_credits: available, now, balance: credits } = useAccount();
  if (available === null) {
    const owed = credits < 0 ? moneyOf(-credits, price) : undefined;
    const beyond =
      owed === undefined ? '' : `${formatCredits(-credits)} beyond, ${owed} before tax. `;
    return `${beyond}No limit: calls beyond the included credits are billed.`;
  }
  if (available <= 0) return 'Used up';
  const { exhausted_at: at, balance_exhausted_at: balance } = forecast;
  if (at === null) return 'Does not run out at the current rate';
  if (Date.parse(at) - Date.parse(now) > FAR_MS) return 'Lasts for more than 2 years';
  const overdraft = balance !== null && balance !== at;
  return (
    <>
      Lasts until <Moment at={at} dateOnly />, {formatDistance(at, Date.parse(now))}
      {overdraft && (
        <>
          , with the overdraft that begins <Moment at={balance} dateOnly />
        </>
      )}
    </>
  );
}

function Pace({ before, week }: Pick<HeadlineProps, 'before' | 'week'>) {
  if (before === undefined || week === undefined) return '…';
  const percent = changePercent(week, before);
  if (percent === null) return 'No calls by this point last week';
  const size = `${Math.abs(percent).toFixed(0)} %`;
  return `${size} ${percent >= 0 ? 'more' : 'less'} than by this point last week`;
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
