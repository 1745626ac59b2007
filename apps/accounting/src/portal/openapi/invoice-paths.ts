import { MONTH_FILTER, PAGE, STATUS_FILTER } from '#ledger/read-parameters.js';
import type { PathItem } from '#web/openapi-document.js';
import {
  DRAFT_INVOICE,
  LINE_CALLS,
  LIST_CREDIT_NOTES,
  LIST_INVOICES,
  SHOW_CREDIT_NOTE,
  SHOW_INVOICE,
} from '../../admin/openapi/invoice-paths.js';
import { readOperation, type Route } from '../../admin/openapi/operation.js';

/** The same route of the account of the session. */
function own(route: Route, changes: Pick<Route, 'path' | 'query'> = {}): Route {
  const { headers: _lag, ...rest } = route;
  return { ...rest, ...changes };
}

/** Paths of the account's own invoices and credit notes. */
export function invoicePaths(baseUrl: string): Record<string, PathItem> {
  const read = (route: Route): PathItem => ({ get: readOperation(route, baseUrl) });
  const document = (route: Route): PathItem => ({
    get: readOperation(route, baseUrl, ['conflict', 'gone']),
  });
  const ofMonth = [...PAGE, MONTH_FILTER];
  return {
    '/portal/v1/invoices': read(own(LIST_INVOICES, { query: [...ofMonth, STATUS_FILTER] })),
    '/portal/v1/invoices/draft': document(own(DRAFT_INVOICE, { path: [] })),
    '/portal/v1/invoices/{number}': document(SHOW_INVOICE),
    '/portal/v1/invoices/{number}/lines/{line}/calls': read(LINE_CALLS),
    '/portal/v1/credit-notes': read(own(LIST_CREDIT_NOTES, { query: ofMonth })),
    '/portal/v1/credit-notes/{number}': document(SHOW_CREDIT_NOTE),
  };
}
