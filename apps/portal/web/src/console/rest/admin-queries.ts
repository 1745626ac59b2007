import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type {
  Account,
  ApiKey,
  Budget,
  Call,
  Delivery,
  Dispute,
  Explanation,
  Member,
  Page,
  RefusedCall,
} from '../../rest/answers.js';
import type {
  CreditNoteSummary,
  AnyInvoice,
  InvoiceDraft,
  Receivables,
  ListedInvoice,
} from '../../rest/data-answers.js';
import { isSignedOut } from '../../rest/problem.js';
import { listQuery as pagedQuery, type CallFilter, type Filter } from '../../rest/queries.js';
import { query, read } from '../../rest/request.js';
import type {
  AccountCall,
  AuditEntry,
  ConsoleSession,
  Found,
  ExchangeRate,
  InvoiceRun,
  OperatorGrant,
  OperatorWebhook,
  Party,
  PortalSession,
  Projection,
  RateCard,
  Release,
  Summary,
  Verification,
} from './admin-answers.js';

export const ADMIN = '/admin/v1';

const POLL_MS = 1_000;
const PAGE_ROWS = 50;
export const SEARCH_LENGTH_MIN = 2;

/** A list whose rows stay visible until the next ones have arrived. */
function listQuery<Item>(key: readonly unknown[], path: string, filter: Filter = {}) {
  const rows = { limit: PAGE_ROWS, ...filter };
  return {
    ...pagedQuery<Item>([...key, filter], `${ADMIN}${path}`, rows),
    placeholderData: keepPreviousData,
  };
}

function oneQuery<Answer>(key: readonly unknown[], path: string) {
  return queryOptions({
    queryKey: key,
    queryFn: ({ signal }) => read<Answer>(`${ADMIN}${path}`, signal),
  });
}

export const consoleSessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => read<ConsoleSession>(`${ADMIN}/session`, signal),
  staleTime: Infinity,
  retry: (failures, error) => !isSignedOut(error) && failures < 3,
});

/** The service reads it at most twice a minute. */
export const summaryQuery = {
  ...oneQuery<Summary>(['summary'], '/summary'),
  refetchInterval: 30 * POLL_MS,
};

export const searchQuery = (text: string) =>
  queryOptions({
    queryKey: ['search', text],
    queryFn: async ({ signal }) =>
      (await read<Page<Found>>(`${ADMIN}/search${query({ q: text })}`, signal)).items,
    enabled: text.length >= SEARCH_LENGTH_MIN,
    placeholderData: keepPreviousData,
  });

export const accountsQuery = (filter: Filter) =>
  listQuery<Account>(['accounts'], '/accounts', filter);
export const accountQuery = (id: string) => oneQuery<Account>(['account', id], `/accounts/${id}`);
export const grantsQuery = (id: string) =>
  listQuery<OperatorGrant>(['account', id, 'grants'], `/accounts/${id}/grants`);
export const callsQuery = (filter: CallFilter) =>
  listQuery<AccountCall>(['calls', 'list'], '/calls', { order: 'desc', limit: 200, ...filter });
/** Of one account, or of all. They are written beside the calls. */
export const refusalsQuery = (id: string | null) => ({
  ...listQuery<RefusedCall>(
    ['refusals', id],
    id === null ? '/refused-calls' : `/accounts/${id}/refusals`,
  ),
  refetchInterval: 5 * POLL_MS,
});
export const explanationQuery = (callId: string) =>
  oneQuery<Explanation>(['calls', callId], `/calls/${callId}`);
export const budgetsQuery = (id: string) =>
  listQuery<Budget>(['account', id, 'budgets'], `/accounts/${id}/budgets`);
export const apiKeysQuery = (id: string) =>
  listQuery<ApiKey>(['account', id, 'api-keys'], `/accounts/${id}/api-keys`);
export const portalSessionsQuery = (id: string) =>
  listQuery<PortalSession>(['account', id, 'sessions'], `/accounts/${id}/portal-sessions`);
export const membersQuery = (id: string) =>
  listQuery<Member>(['account', id, 'members'], `/accounts/${id}/members`);
export const billingQuery = (id: string) =>
  oneQuery<Party>(['account', id, 'billing'], `/accounts/${id}/billing`);

export const disputesQuery = (status: string | null) =>
  listQuery<Dispute>(['disputes'], '/disputes', { status });

export const auditQuery = (filter: Filter) =>
  listQuery<AuditEntry>(['audit'], '/audit', { order: 'desc', ...filter });

export const rateCardsQuery = queryOptions({
  queryKey: ['rate-cards'],
  queryFn: async ({ signal }) =>
    (await read<Page<RateCard>>(`${ADMIN}/rate-cards?limit=1000`, signal)).items,
});

export const releasesQuery = listQuery<Release>(['releases'], '/releases', { limit: 1000 });

/** The newest first. */
export const invoicesQuery = (filter: Filter) =>
  listQuery<ListedInvoice>(['invoices', 'list'], '/invoices', { order: 'desc', ...filter });
export const creditNotesQuery = (filter: Filter) =>
  listQuery<CreditNoteSummary>(['invoices', 'notes'], '/credit-notes', {
    order: 'desc',
    ...filter,
  });
export const invoiceQuery = (number: string) =>
  oneQuery<AnyInvoice>(['invoices', 'one', number], `/invoices/${number}`);
export const lineCallsQuery = (number: string, line: number) =>
  listQuery<Call>(['invoices', 'calls', number, line], `/invoices/${number}/lines/${line}/calls`);
export const receivablesOf = (accountId: string) => `/accounts/${accountId}/receivables`;
export const draftQuery = (accountId: string) =>
  oneQuery<InvoiceDraft>(['account', accountId, 'draft'], `/accounts/${accountId}/invoices/draft`);
export const receivablesQuery = (accountId: string) =>
  oneQuery<Receivables>(['invoices', 'receivables', accountId], receivablesOf(accountId));
export const sellerQuery = oneQuery<Party>(['seller'], '/seller');
export const exchangeRatesQuery = listQuery<ExchangeRate>(
  ['seller', 'exchange-rates'],
  '/exchange-rates',
);

export const webhooksQuery = listQuery<OperatorWebhook>(['webhooks'], '/webhooks');
export const deliveriesQuery = (id: string, status: string | null) =>
  listQuery<Delivery>(['deliveries', id], `/webhooks/${id}/deliveries`, { order: 'desc', status });
export const emailsQuery = (accountId: string, status: string | null) =>
  listQuery<Delivery>(['deliveries', accountId], `/accounts/${accountId}/emails`, {
    order: 'desc',
    status,
  });

/** Refreshed each second: it shows work in progress. */
export const projectionsQuery = queryOptions({
  queryKey: ['projections'],
  queryFn: async ({ signal }) =>
    (await read<Page<Projection>>(`${ADMIN}/projections`, signal)).items,
  refetchInterval: POLL_MS,
});

/** Warnings of a service that is ready: lost positions, damaged accounts. */
export const warningsQuery = queryOptions({
  queryKey: ['warnings'],
  queryFn: async ({ signal }) =>
    (await read<{ readonly warnings?: readonly string[] }>('/readyz', signal)).warnings ?? [],
  refetchInterval: 10 * POLL_MS,
});

/** Asked after until it has ended. */
export const invoiceRunQuery = (id: string) =>
  queryOptions({
    queryKey: ['invoice-run', id],
    queryFn: ({ signal }) => read<InvoiceRun>(`${ADMIN}/invoice-runs/${id}`, signal),
    refetchInterval: ({ state }) => (state.data?.status === 'ended' ? false : POLL_MS),
  });

/** Null: nothing was verified yet. */
export const verificationQuery = queryOptions({
  queryKey: ['verify'],
  queryFn: async ({ signal }): Promise<Verification | null> =>
    (await read<Page<Verification>>(`${ADMIN}/verifications?order=desc&limit=1`, signal))
      .items[0] ?? null,
  refetchInterval: ({ state }) => (state.data?.status === 'running' ? POLL_MS : false),
});
