import { isProblem } from '#client/problem-error.js';
import { queryOptions } from '@tanstack/react-query';
import type { CatalogValue } from '#rest/catalog/catalog.schemas.js';
import type { Call, Page } from './answers.js';
import type {
  Catalog,
  CatalogItem,
  Category,
  CreditNoteSummary,
  AnyInvoice,
  HeldInvoice,
  InvoiceDraft,
  ListedInvoice,
  Receivables,
  Party,
  Pull,
  Quote,
  Statement,
  View,
} from './data-answers.js';
import { listQuery, PORTAL, readAll } from './queries.js';
import { change, query, read } from './request.js';

const CATALOG = `${PORTAL}/catalog`;

/** Categories, each behind the one above it. */
export const categoriesQuery = queryOptions({
  queryKey: ['catalog', 'categories'],
  queryFn: ({ signal }) => readAll<Category>(`${CATALOG}${query({ level: 'category' })}`, signal),
  staleTime: Infinity,
});

/** The categories, which may be known already, and groups of related trends. */
export const catalogQuery = queryOptions({
  queryKey: ['catalog', 'all'],
  queryFn: async ({ client, signal }): Promise<Catalog> => {
    const [categories, groups] = await Promise.all([
      client.ensureQueryData(categoriesQuery),
      readAll<CatalogValue>(`${CATALOG}/groups`, signal),
    ]);
    return { categories, groups: groups.map(({ slug }) => slug) };
  },
  staleTime: Infinity,
});

export function brandsQuery(search: string) {
  return queryOptions({
    queryKey: ['brands', 'search', search],
    queryFn: ({ signal }) =>
      read<Page<CatalogItem>>(`${CATALOG}${query({ level: 'brand', search, limit: 20 })}`, signal),
    staleTime: Infinity,
  });
}

/** One brand by its id, as a list of one or none. */
export function brandQuery(id: string) {
  return queryOptions({
    queryKey: ['brands', 'one', id],
    queryFn: ({ signal }) =>
      read<Page<CatalogItem>>(`${CATALOG}${query({ level: 'brand', id })}`, signal),
    staleTime: Infinity,
  });
}

export function quoteQuery(urls: readonly string[]) {
  return queryOptions({
    queryKey: ['quotes', ...urls],
    queryFn: () => change<Quote>('POST', `${PORTAL}/quotes`, { urls }),
    enabled: urls.length > 0,
  });
}

/** The data if it is paid for in this window; else its price. */
export type Look =
  { readonly paid: true; readonly view: View } | { readonly paid: false; readonly credits: number };

export function viewQuery(path: string) {
  return queryOptions({
    queryKey: ['views', path],
    queryFn: async ({ signal }): Promise<Look> => {
      try {
        const view = await read<View>(`${PORTAL}/views${query({ path })}`, signal);
        return { paid: true, view };
      } catch (error) {
        if (!isProblem(error, 'price-above-maximum')) throw error;
        return { paid: false, credits: Number(error.members['required_credits']) };
      }
    },
    // What is paid does not change within its window, and looks are limited.
    staleTime: 5 * 60_000,
    // A part of the page that appears with a refusal would ask again, be refused again, and so on.
    retryOnMount: false,
  });
}

export function pull(path: string, creditsMax: number): Promise<Pull> {
  return change<Pull>('POST', `${PORTAL}/pulls`, { path, credits_max: creditsMax });
}

/** The newest first. */
export const invoicesQuery = queryOptions({
  queryKey: ['invoices', 'list'],
  queryFn: ({ signal }) =>
    read<Page<ListedInvoice>>(`${PORTAL}/invoices?limit=1000&order=desc`, signal),
});

/** Those that something is missing for. */
export const heldInvoicesQuery = queryOptions({
  queryKey: ['invoices', 'held'],
  queryFn: ({ signal }) => read<Page<HeldInvoice>>(`${PORTAL}/invoices?status=held`, signal),
});

/** The newest first. */
export const creditNotesQuery = queryOptions({
  queryKey: ['invoices', 'credit-notes'],
  queryFn: ({ signal }) =>
    read<Page<CreditNoteSummary>>(`${PORTAL}/credit-notes?limit=1000&order=desc`, signal),
});

export const billingQuery = queryOptions({
  queryKey: ['billing'],
  queryFn: ({ signal }) => read<Party>(`${PORTAL}/billing`, signal),
});

export const sellerQuery = queryOptions({
  queryKey: ['seller'],
  queryFn: ({ signal }) => read<Party>(`${PORTAL}/seller`, signal),
});

export const RECEIVABLES = `${PORTAL}/receivables`;
export const receivablesQuery = queryOptions({
  queryKey: ['invoices', 'receivables'],
  queryFn: ({ signal }) => read<Receivables>(RECEIVABLES, signal),
});

export const draftQuery = queryOptions({
  queryKey: ['invoices', 'draft'],
  queryFn: ({ signal }) => read<InvoiceDraft>(`${PORTAL}/invoices/draft`, signal),
});

export function invoiceQuery(number: string) {
  return queryOptions({
    queryKey: ['invoices', 'one', number],
    queryFn: ({ signal }) => read<AnyInvoice>(`${PORTAL}/invoices/${number}`, signal),
  });
}

export function statementQuery(month: string) {
  return queryOptions({
    queryKey: ['invoices', 'statement', month],
    queryFn: ({ signal }) => read<Statement>(`${PORTAL}/statements/${month}`, signal),
  });
}

export function lineCallsQuery(number: string, line: number) {
  const path = `${PORTAL}/invoices/${number}/lines/${line}/calls`;
  return listQuery<Call>(['invoices', 'calls', number, line], path, { limit: 200 });
}
