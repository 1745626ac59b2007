/**
 * Tables that a backup holds beside the log, in the order of loading. A migration that makes a
 * table puts its name into exactly one list of this file; a test fails until it does.
 */

/**
 * Data that no event may hold: names, free texts, the keys that encrypt those in events, secrets,
 * issued documents with their parties, and which of these lost them. Written before the event that
 * names the row.
 */
const SECOND_TRUTH = [
  'profile',
  'account_external_id',
  'text_key',
  'secret',
  'document',
  'redaction',
];

/** Deliveries with their outcomes: facts that no event records. */
const DELIVERIES = ['delivery', 'delivery_attempt', 'delivery_cursor'];

/** Last uses of admin tokens: no event records them. */
const ADMIN_TOKENS = ['admin_token_use'];

/** Who signed in, failed to or was denied a role, counted by the minute. */
const SIGN_INS = ['sign_in_record'];

/** Calls that were refused, counted by the hour: no event records them. */
const REFUSALS = ['refused_call'];

/** Results of customers' own logs, which themselves are not kept. */
const RECONCILIATIONS = ['reconciliation'];

/** People who sign in with an account of their company. */
const PEOPLE = ['operator', 'account_member'];

/** Who is signed in or may be by a mailed link, and the encrypted API key of a portal's pulls. */
const PORTAL = ['portal_session', 'console_session', 'sign_in_link', 'portal_api_key'];

/** Published data sets, as they were loaded. Rows of a published load never change. */
const RELEASES = [
  'release_load',
  'release_category',
  'release_brand',
  'release_brand_category',
  'release_relation',
  'release_series',
  'release_figure',
];

/** Tables that a backup holds as they are. */
export const BACKED_UP_TABLES: readonly string[] = [
  ...SECOND_TRUTH,
  ...DELIVERIES,
  ...ADMIN_TOKENS,
  ...SIGN_INS,
  ...REFUSALS,
  ...RECONCILIATIONS,
  ...PEOPLE,
  ...PORTAL,
  ...RELEASES,
];

/** The log itself; a backup holds it lane by lane. */
export const LOG_TABLES: readonly string[] = ['lane', 'event', 'batch'];

/**
 * Rows that a backup leaves out and a service builds again: they follow from the log, or are drawn
 * by chance, as the private halves of keys that sign receipts, or say of one database what a
 * verification found in it.
 */
export const REBUILT_TABLES: readonly string[] = [
  'checkpoint',
  'damaged_account',
  'ledger_account',
  'ledger_opened',
  'ledger_api_key',
  'ledger_snapshot',
  'window_key',
  'window_usage',
  'window_part',
  'usage_reached',
  'notification',
  'usage_day',
  'day_usage',
  'audit_entry',
  'invoice_purchase',
  'document_due',
  'held_invoice',
  'invoice_fact',
  'invoice_month',
  'invoice',
  'credit_note',
  'invoice_number',
  'dispute',
  'receipt_key',
  'verification',
];
