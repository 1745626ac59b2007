import { ADMIN_TOKENS } from './admin-tokens/admin-token.operations.js';
import { ACCOUNT, ACCOUNTS } from './accounts/account.operations.js';
import { API_KEYS } from './api-keys/api-key.operations.js';
import { AUDIT } from './audit/audit.operations.js';
import { BANK_STATEMENTS } from './bank-statements/bank-statement.operations.js';
import { BUDGETS } from './budgets/budget.operations.js';
import { CATALOG } from './catalog/catalog.operations.js';
import { CONSOLE_SESSION } from './console-sessions/console-session.operations.js';
import { CREDITS } from './credits/credit.operations.js';
import { GIVE_BACKS } from './credits/give-back.operations.js';
import { DISPUTES, RESOLUTIONS } from './disputes/dispute.operations.js';
import { EXPORTS } from './exports/export.operations.js';
import { FOCUS } from './exports/focus.operations.js';
import { FEED } from './feed/feed.operations.js';
import { INVOICES } from './invoices/invoice.operations.js';
import { INVOICING } from './invoices/invoicing.operations.js';
import { PARTIES } from './invoices/party.operations.js';
import { PUBLIC, type Interface } from './operation/interfaces.js';
import type { Resource } from './operation/operation.js';
import { ORDERS } from './orders/order.operations.js';
import { OUTLOOK } from './outlook/outlook.operations.js';
import { MEMBERS } from './members/member.operations.js';
import { SIGN_IN_WAYS } from './oidc/sign-in-ways.operations.js';
import { OPERATORS } from './operators/operator.operations.js';
import { EXCHANGE_RATES } from './exchange-rates/exchange-rate.operations.js';
import { PERIODS } from './periods/period.operations.js';
import { PORTAL_SESSIONS } from './portal-sessions/portal-session.operations.js';
import { PULLS } from './pulls/pull.operations.js';
import { QUOTES } from './quotes/quote.operations.js';
import { RATE_CARDS } from './rate-cards/rate-card.operations.js';
import { RECONCILIATIONS } from './reconciliations/reconciliation.operations.js';
import { RECEIPT_KEYS, RECEIPTS } from './receipts/receipt.operations.js';
import { REFUSALS } from './refusals/refusal.operations.js';
import { SAVINGS } from './savings/savings.operations.js';
import { SEARCH } from './search/search.operations.js';
import { RECEIVABLES } from './receivables/receivables.operations.js';
import { STATEMENTS } from './statements/statement.operations.js';
import { SUMMARY } from './summary/summary.operations.js';
import { SYSTEM } from './system/system.operations.js';
import { USAGE } from './usage/usage.operations.js';
import { WHOLE_LOG } from './whole-log/whole-log.operations.js';
import { WEBHOOKS } from './webhooks/webhook.operations.js';

/** Every noun of the interfaces of operators, customers and holders of API keys. */
export const RESOURCES: readonly Resource[] = [
  ...PORTAL_SESSIONS,
  ...MEMBERS,
  SIGN_IN_WAYS,
  CONSOLE_SESSION,
  ACCOUNT,
  ACCOUNTS,
  API_KEYS,
  CREDITS,
  GIVE_BACKS,
  ORDERS,
  DISPUTES,
  RESOLUTIONS,
  ...BUDGETS,
  RATE_CARDS,
  OUTLOOK,
  USAGE,
  RECONCILIATIONS,
  RECEIPTS,
  RECEIPT_KEYS,
  REFUSALS,
  SAVINGS,
  INVOICES,
  ...INVOICING,
  RECEIVABLES,
  BANK_STATEMENTS,
  ...PARTIES,
  STATEMENTS,
  WEBHOOKS,
  SEARCH,
  SUMMARY,
  WHOLE_LOG,
  SYSTEM,
  ADMIN_TOKENS,
  OPERATORS,
  AUDIT,
  EXPORTS,
  FOCUS,
  PERIODS,
  EXCHANGE_RATES,
  QUOTES,
  PULLS,
  ...CATALOG,
  FEED,
];

/** Those with an operation in an interface. */
export function resourcesOf(to: Interface): readonly Resource[] {
  return RESOURCES.filter(({ operations }) =>
    operations.some((operation) => to.pathOf(operation) !== undefined),
  );
}

/** Resources whose services change something: an accounting process has them. */
const OF_ACCOUNTING: ReadonlySet<Resource> = new Set([...BUDGETS, API_KEYS, WEBHOOKS, DISPUTES]);

/** Resources of the public API: an API process forwards some to an accounting process. */
export const PUBLIC_RESOURCES = {
  own: resourcesOf(PUBLIC).filter((one) => !OF_ACCOUNTING.has(one)),
  forwarded: resourcesOf(PUBLIC).filter((one) => OF_ACCOUNTING.has(one)),
} as const;
