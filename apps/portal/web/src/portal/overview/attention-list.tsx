import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Loading } from '../../ui/loaded.js';
import { Notice } from '../../ui/notice.js';
import { PriceNotice } from '../prices/price-notice.js';
import { useAccount } from '../session.js';
import { concernsOf, type Concern } from './attention.js';
import css from './overview.module.css';
import { portal } from '../../rest/portal.js';
import { refusalsQuery } from '../../rest/queries.js';
import { all, one } from '../../rest/reads.js';

const WORDS: Readonly<Record<NonNullable<Concern['to']>, string>> = {
  '/budgets': 'Budgets',
  '/api-keys': 'API keys',
  '/invoices': 'Invoices',
  '/credits': 'Get credits',
};

/** Concerns that need attention, above all else. Draws nothing where there are none. */
export function Attention() {
  const account = useAccount();
  const budgets = useQuery(all(portal.listBudgets()));
  const apiKeys = useQuery(all(portal.listApiKeys()));
  const invoices = useQuery(one(portal.listInvoices({ limit: 1000, order: 'desc' })));
  const refusals = useInfiniteQuery(refusalsQuery(null));
  const concerns = concernsOf({
    account,
    budgets: budgets.data ?? [],
    apiKeys: apiKeys.data ?? [],
    invoices: invoices.data?.items ?? [],
    refusals: refusals.data?.pages[0]?.items ?? [],
    now: Date.parse(account.now),
  });
  const priced = useQuery(one(portal.getPrices()));
  const forecast = useQuery(one(portal.getForecast()));
  const prices = priced.data;
  const isRepriced =
    prices?.next != null && prices.next.weekly_credits !== prices.in_force.weekly_credits;
  const reads = [budgets, apiKeys, invoices, refusals, priced, forecast];
  // What stands above all else must not push it down when it comes.
  if (reads.some(({ isLoading }) => isLoading)) return <Loading rows={1} height={52} />;
  if (concerns.length === 0 && !isRepriced) return null;
  return (
    <section aria-label="Needs attention" className={css.concerns}>
      {concerns.map(({ tone, title, text, to }) => (
        <Notice
          key={`${title} ${text}`}
          tone={tone}
          title={title}
          {...(to !== null && { action: <Link to={to}>{WORDS[to]}</Link> })}
        >
          {text}
        </Notice>
      ))}
      {isRepriced && <PriceNotice prices={prices} />}
    </section>
  );
}
