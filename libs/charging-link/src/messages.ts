import type {
  ChargedCall,
  ChargeOutcome,
  ChargeRequest,
  QuoteOutcome,
  QuoteRequest,
} from '#account/charging.js';
import type { ForwardedAnswer, ForwardedRequest } from './forwarding.js';

/** A call whose caller did not get its answer: if a charge stands, it has to be given back. */
export interface UnsettledCall {
  readonly accountId: string;
  readonly callId: string;
  /** As in the `ChargeRequest`: the charge of another request was answered to that one. */
  readonly requestId?: string | undefined;
  /** Ms since 1970: until then an answer may still be fetched, or a charge be decided. */
  readonly notBefore?: number | undefined;
}

/** Names an unsettled call: under an idempotency key several requests may each have been left. */
export function unsettledName({ callId, requestId }: UnsettledCall): string {
  return requestId === undefined ? callId : `${callId}.${requestId}`;
}

/** Messages of an API process. */
export type ApiMessage =
  | { readonly kind: 'charge'; readonly id: number; readonly request: ChargeRequest }
  | { readonly kind: 'quote'; readonly id: number; readonly request: QuoteRequest }
  | { readonly kind: 'settle'; readonly id: number; readonly call: UnsettledCall }
  | { readonly kind: 'forward'; readonly id: number; readonly request: ForwardedRequest }
  | { readonly kind: 'ping' }
  /** Answers `leaving`: nothing more will be asked over this connection. */
  | { readonly kind: 'bye' };

/** The outcome of one request. */
export type Answer =
  | {
      readonly kind: 'answer';
      readonly id: number;
      readonly outcome: ChargeOutcome | QuoteOutcome;
    }
  /** Surely not charged by this request. */
  | {
      readonly kind: 'unavailable';
      readonly id: number;
      readonly retryAfterSeconds: number;
      readonly detail: string;
    }
  | { readonly kind: 'unknown'; readonly id: number }
  /** Not taken, because the process is about to stop: another one may. */
  | { readonly kind: 'draining'; readonly id: number }
  | { readonly kind: 'settled'; readonly id: number }
  | { readonly kind: 'forwarded'; readonly id: number; readonly answer: ForwardedAnswer };

/** Messages of an accounting process. */
export type AccountingMessage =
  | Answer
  | { readonly kind: 'pong' }
  /**
   * Said after the welcome and after each change: whether it can decide now, and takes what is
   * forwarded, which older processes do not.
   */
  | { readonly kind: 'ready'; readonly forwards?: boolean }
  | { readonly kind: 'not-ready'; readonly reason: string }
  | { readonly kind: 'leaving' };

export const NO_MESSAGE = 'A message is none of this protocol.';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

type Members = Readonly<Record<string, unknown>>;

export function isApiMessage(value: unknown): value is ApiMessage {
  if (!isObject(value)) return false;
  switch (value.kind) {
    case 'charge':
      return isCount(value.id) && isChargeRequest(value.request);
    case 'quote':
      return isCount(value.id) && isQuoteRequest(value.request);
    case 'settle':
      return isCount(value.id) && isUnsettledCall(value.call);
    case 'forward':
      return isCount(value.id) && isForwardedRequest(value.request);
    default:
      return value.kind === 'ping' || value.kind === 'bye';
  }
}

export function isAccountingMessage(value: unknown): value is AccountingMessage {
  if (!isObject(value)) return false;
  switch (value.kind) {
    case 'answer':
      return isCount(value.id) && isOutcome(value.outcome);
    case 'unavailable':
      return isCount(value.id) && isCount(value.retryAfterSeconds) && isText(value.detail);
    case 'unknown':
    case 'draining':
    case 'settled':
      return isCount(value.id);
    case 'forwarded':
      return isCount(value.id) && isForwardedAnswer(value.answer);
    case 'not-ready':
      return isText(value.reason);
    default:
      return value.kind === 'pong' || value.kind === 'ready' || value.kind === 'leaving';
  }
}

export function isChargeRequest(value: unknown): value is ChargeRequest {
  if (!isObject(value)) return false;
  return (
    isUuid(value.callId) &&
    isUuid(value.accountId) &&
    isCount(value.apiKey) &&
    isText(value.asked) &&
    isPricedItem(value) &&
    (value.maxCredits === null || isCount(value.maxCredits)) &&
    (value.tags === null || (isObject(value.tags) && Object.values(value.tags).every(isText))) &&
    typeof value.isRetry === 'boolean' &&
    isRequestId(value.requestId) &&
    (value.wantsPlace === undefined || typeof value.wantsPlace === 'boolean') &&
    Number.isFinite(value.notAfter)
  );
}

function isQuoteRequest(value: unknown): value is QuoteRequest {
  if (!isObject(value) || !isUuid(value.accountId)) return false;
  return (
    (value.apiKey === null || isCount(value.apiKey)) &&
    isNamed(value.named) &&
    Array.isArray(value.items) &&
    value.items.every((item) => isObject(item) && isPricedItem(item))
  );
}

function isForwardedRequest(value: unknown): value is ForwardedRequest {
  if (!isObject(value) || !isUuid(value.accountId) || !isUuid(value.apiKeyId)) return false;
  const { requestId, method, target, headers, body } = value;
  const isWhole = isUuid(requestId) && isText(method) && isText(target) && isTexts(headers);
  return isWhole && (body === null || isText(body));
}

function isForwardedAnswer(value: unknown): value is ForwardedAnswer {
  return isObject(value) && isCount(value.status) && isTexts(value.headers) && isText(value.body);
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return isObject(value) && Object.values(value).every(isText);
}

function isNamed(value: unknown): boolean {
  if (value === undefined) return true;
  return isObject(value) && isUuid(value.callId) && isText(value.asked);
}

function isPricedItem(value: Members): boolean {
  const { key, resource, rows, units, release, window } = value;
  const named = isText(key) && isText(release) && isText(window) && isUnits(units);
  return named && isCount(rows) && isObject(resource) && isText(resource.resource);
}

function isUnits(value: unknown): boolean {
  return value === undefined || (isObject(value) && Object.values(value).every(isCount));
}

export function isUnsettledCall(value: unknown): value is UnsettledCall {
  if (!isObject(value) || !isUuid(value.accountId) || !isUuid(value.callId)) return false;
  const { requestId, notBefore } = value;
  return isRequestId(requestId) && (notBefore === undefined || Number.isFinite(notBefore));
}

function isRequestId(value: unknown): boolean {
  return value === undefined || isUuid(value);
}

function isOutcome(value: unknown): value is ChargeOutcome | QuoteOutcome {
  if (!isObject(value)) return false;
  switch (value.outcome) {
    case 'charged':
      return isCharged(value.charged) && typeof value.replayed === 'boolean';
    case 'quoted':
      return isQuoted(value);
    case 'refused':
      return isObject(value.refusal) && isText(value.refusal.reason);
    default:
      return false;
  }
}

function isQuoted({ items, balance, shortfall, first }: Members): boolean {
  const isPriced = Array.isArray(items) && items.every(isObject) && isBalance(balance);
  const isSummed = shortfall === undefined || isCount(shortfall);
  return isPriced && isSummed && (first === undefined || isCharged(first));
}

export function isCharged(value: unknown): value is ChargedCall {
  if (!isObject(value) || !isUuid(value.callId) || !Number.isFinite(value.at)) return false;
  const { call, balance } = value;
  return (
    isObject(call) && Array.isArray(call.cost) && call.cost.every(isCount) && isBalance(balance)
  );
}

function isBalance(value: unknown): boolean {
  return value === null || Number.isSafeInteger(value);
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}

export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
