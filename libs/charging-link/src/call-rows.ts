import { callOfRow, type CallRow, requestOfRow, type RequestRow } from '#account/call-rows.js';
import type { ChainPlace, ChargedCall, ChargeRequest } from '#account/charging.js';
import type { Request } from './answer-request.js';
import { isApiMessage, isCharged, isChargeRequest, isCount } from './messages.js';
import type { Answer, ApiMessage } from './messages.js';

/** A message as an array, as it arrived. */
type Row = readonly unknown[];
type Charge = Extract<ApiMessage, { readonly kind: 'charge' }>;

/** Texts that are the same in JSON but for the quotes around them. */
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

const HEAD = /^[0-9a-f]{64}$/;
/** Members of a call as an array; its place in the account's chain is behind them. */
const CALL_MEMBERS = 14;

function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}

function optional(text: string | undefined): string {
  return text === undefined ? 'null' : quoted(text);
}

/** A `charge` as the text of its number and a `RequestRow`, which is cheaper than one of values. */
export function chargeText(id: number, request: ChargeRequest, mayExist: boolean): string {
  const { callId, accountId, apiKey, key, asked, rows, window, release, maxCredits } = request;
  const wantsPlace = request.wantsPlace === true ? ',true' : '';
  const resource = JSON.stringify(request.resource);
  const tags = request.tags === null ? 'null' : JSON.stringify(request.tags);
  return (
    `[${id},${quoted(callId)},${quoted(accountId)},${apiKey},${quoted(key)},${quoted(asked)},` +
    `${resource},${rows},${quoted(window)},${quoted(release)},${maxCredits},${tags},` +
    `${mayExist},${request.notAfter},${optional(request.requestId)}${wantsPlace}]`
  );
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
  return callId === request.callId && call.key === request.key;
}

function chargedText(id: number, { call, at, balance, place }: ChargedCall): string {
  const [callCost, dataCost] = call.cost;
  const tags = call.tags === undefined ? 'null' : JSON.stringify(call.tags);
  return (
    `[${id},${at},${balance},${optional(call.asked)},${optional(call.window)},` +
    `${quoted(call.release)},${call.api_key},${call.rows},${quoted(call.kind)},` +
    `${callCost},${dataCost},${call.card},${quoted(call.rule)},${JSON.stringify(call.draws)},` +
    `${call.balance},${tags},${optional(call.request)}${placeText(place)}]`
  );
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
