import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Read } from '#client/operations.js';
import type { Verification } from '../rest/answers.js';
import { isSignedOut } from '../rest/problem.js';
import { all, one, pages } from '../rest/reads.js';
import { read } from '../rest/request.js';
import { admin } from './admin.js';

// Reads of the console that are asked again by themselves, or wait for something.

const POLL_MS = 1_000;
export const SEARCH_LENGTH_MIN = 2;

export const consoleSessionQuery = queryOptions({
  ...one(admin.getSession()),
  staleTime: Infinity,
  retry: (failures, error) => !isSignedOut(error) && failures < 3,
});

/** The service reads it at most twice a minute. */
export const summaryQuery = (test: boolean | null) => ({
  ...one(admin.getSummary({ test })),
  refetchInterval: 30 * POLL_MS,
});

export const searchQuery = (text: string) =>
  queryOptions({
    queryKey: ['search', text],
    queryFn: async ({ signal }) => (await read(admin.listFound({ q: text }), signal)).items,
    enabled: text.length >= SEARCH_LENGTH_MIN,
    placeholderData: keepPreviousData,
  });

/** Of one account, or of all. They are written beside the calls. */
export const refusalsQuery = (id: string | null) => ({
  ...pages(id === null ? admin.listAllRefusals() : admin.listRefusals({ account_id: id })),
  refetchInterval: 5 * POLL_MS,
});

export const rateCardsQuery = all(admin.listRateCards());

/** Refreshed each second: it shows work in progress. */
export const projectionsQuery = { ...all(admin.listProjections()), refetchInterval: POLL_MS };

/** Every port answers it, beside its operations. */
const READINESS: Read<{ readonly warnings?: readonly string[] }> = {
  id: 'getReadiness',
  path: '/readyz',
};

/** Warnings of a service that is ready: lost positions, damaged accounts. */
export const warningsQuery = queryOptions({
  queryKey: ['warnings'],
  queryFn: async ({ signal }) => (await read(READINESS, signal)).warnings ?? [],
  refetchInterval: 10 * POLL_MS,
});

/** Asked after until it has ended. */
export const invoiceRunQuery = (id: string) =>
  queryOptions({
    ...one(admin.getInvoiceRun({ run_id: id })),
    refetchInterval: ({ state }) => (state.data?.status === 'ended' ? false : POLL_MS),
  });

/** Null: nothing was verified yet. */
export const verificationQuery = queryOptions({
  queryKey: ['verify'],
  queryFn: async ({ signal }): Promise<Verification | null> =>
    (await read(admin.listVerifications({ order: 'desc', limit: 1 }), signal)).items[0] ?? null,
  refetchInterval: ({ state }) => (state.data?.status === 'running' ? POLL_MS : false),
});
