/** Tokens of the ports that have no class of their own. */
export const ACCOUNT_READS = Symbol('account reads');
export const STATEMENT_READS = Symbol('statement reads');
export const INVOICE_READS = Symbol('invoice reads');
/** Finds the `KeyRecord` that a request was admitted with; provided where API keys are. */
export const CALLING_KEY = Symbol('calling key');
/**
 * Refuses a request whose API key is found to open nothing any more: throws a ProblemException;
 * provided with `CALLING_KEY`.
 */
export const CONFIRMED_KEY = Symbol('confirmed key');
/** How an API process has requests answered that take an accounting process. */
export const FORWARDING = Symbol('forwarding');
export const CLOCK = Symbol('clock');
export const PROJECTION_LAG = Symbol('projection lag');
export const TELEMETRY = Symbol('telemetry');
