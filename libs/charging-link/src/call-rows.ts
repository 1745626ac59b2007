import {
  callOfRow,
  requestOfRow,
  rowOfCall,
  rowOfRequest,
  type CallRow,
  type RequestRow,
} from '#account/call-rows.js';
import type { ChainPlace, ChargedCall, ChargeRequest } from '#account/charging.js';
import type { Request } from './answer-request.js';
import { isApiMessage, isCharged, isChargeRequest, isCount } from './messages.js';
import type { Answer, ApiMessage } from './messages.js';

/** A message as an array, as it arrived. */
type Row = readonly unknown[];
type Charge = Extract<ApiMessage, { readonly kind: 'charge' }>;

const HEAD = /^[0-9a-f]{64}$/;
/** Members of a call as an array; its place in the account's chain is behind them. */
const CALL_MEMBERS = 14;

/** A `charge` as the text of an array: its number, and the members of its request. */
export function chargeText(id: number, request: ChargeRequest, isRetry: boolean): string {
  return `[${id},${membersOf(rowOfRequest(isRetry === request.isRetry ? request : { ...request, isRetry }))}]`;
}

/** The text of an array without its brackets. */
function membersOf(row: RequestRow | CallRow): string {
  return JSON.stringify(row).slice(1, -1);
}

/** A message of an API process in either form; undefined: it is none. */
export function readApiMessage(value: unknown): ApiMessage | undefined {
  if (Array.isArray(value)) return chargeOf(value);
  return isApiMessage(value) ? value : undefined;
}

function chargeOf([id, ...row]: Row): Charge | undefined {
  const request: unknown = requestOfRow(row as unknown as RequestRow);
  return isCount(id) && isChargeRequest(request) ? { kind: 'charge', id, request } : undefined;
}

/** The text of an answer; if a call was charged now, an array without what its request holds. */
export function answerText(answer: Answer, request: Request): string {
  if (request.kind === 'charge' && answer.kind === 'answer') {
    const { outcome } = answer;
    const isNew = outcome.outcome === 'charged' && !outcome.replayed;
    if (isNew && isOf(outcome.charged, request.request))
      return chargedText(answer.id, outcome.charged);
  }
  return JSON.stringify(answer);
}

function isOf({ callId, call }: ChargedCall, request: ChargeRequest): boolean {
  return callId === request.callId && call.key === request.key && call.units === undefined;
}

function chargedText(id: number, { call, at, balance, place }: ChargedCall): string {
  return `[${id},${at},${balance},${membersOf(rowOfCall(call))}${placeText(place)}]`;
}

/** The place as members behind those of the call. */
function placeText(place: ChainPlace | undefined): string {
  return place === undefined ? '' : `,${place.version},"${place.head}"`;
}

/** The answer to a `charge` in such an array; undefined: it is none. */
export function chargedOf(row: Row, { callId, key }: ChargeRequest): Answer | undefined {
  const [id, at, balance, ...call] = row;
  const made = callOfRow(key, call as unknown as CallRow);
  const place = placeOf(call.slice(CALL_MEMBERS));
  const charged = { callId, at, call: made, balance, ...(place && { place }) };
  if (!isCount(id) || !isCharged(charged)) return undefined;
  return { kind: 'answer', id, outcome: { outcome: 'charged', charged, replayed: false } };
}

/** Undefined where nobody asked for it. */
function placeOf([version, head]: Row): ChainPlace | undefined {
  if (!isCount(version) || typeof head !== 'string') return undefined;
  return HEAD.test(head) ? { version, head } : undefined;
}
