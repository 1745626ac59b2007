import type { CallMade } from './calls.js';
import type { ChargeRequest } from './charging.js';

// Calls pass between threads and processes as arrays: names of members are most of their text.

/** The same with every member named, so that none is left out. */
export type Complete<Of> = { readonly [Name in keyof Required<Of>]: Of[Name] };

/** The members of a request in their order as an array. Those added later stand behind these. */
export type RequestRow = readonly [
  callId: ChargeRequest['callId'],
  accountId: ChargeRequest['accountId'],
  apiKey: ChargeRequest['apiKey'],
  key: ChargeRequest['key'],
  asked: ChargeRequest['asked'],
  resource: ChargeRequest['resource'],
  rows: ChargeRequest['rows'],
  window: ChargeRequest['window'],
  release: ChargeRequest['release'],
  maxCredits: ChargeRequest['maxCredits'],
  tags: ChargeRequest['tags'],
  isRetry: ChargeRequest['isRetry'],
  notAfter: ChargeRequest['notAfter'],
  requestId: string | null,
  wantsPlace?: ChargeRequest['wantsPlace'] | null,
  units?: ChargeRequest['units'],
];

/** The members of a call but its key, in their order. Units and settlements are sent as JSON. */
export type CallRow = readonly [
  asked: string | null,
  window: string | null,
  release: CallMade['release'],
  apiKey: CallMade['api_key'],
  rows: CallMade['rows'],
  kind: CallMade['kind'],
  callCost: number,
  dataCost: number,
  card: CallMade['card'],
  rule: CallMade['rule'],
  draws: CallMade['draws'],
  balance: CallMade['balance'],
  tags: CallMade['tags'] | null,
  request: string | null,
];

/** The array of a request. */
export function rowOfRequest(request: ChargeRequest): RequestRow {
  const row: { -readonly [At in keyof RequestRow]: RequestRow[At] } = [
    request.callId,
    request.accountId,
    request.apiKey,
    request.key,
    request.asked,
    request.resource,
    request.rows,
    request.window,
    request.release,
    request.maxCredits,
    request.tags,
    request.isRetry,
    request.notAfter,
    request.requestId ?? null,
  ];
  if (request.wantsPlace === true) row[14] = true;
  if (request.units !== undefined) {
    row[14] ??= null;
    row[15] = request.units;
  }
  return row;
}

/** The request of an array. Whether its members are of their types is up to the caller. */
export function requestOfRow(row: RequestRow): Complete<ChargeRequest> {
  const [callId, accountId, apiKey, key, asked, resource, rows, window, ...others] = row;
  const [release, maxCredits, tags, isRetry, notAfter, requestId, wantsPlace, units] = others;
  return {
    callId,
    accountId,
    apiKey,
    key,
    asked,
    resource,
    rows,
    units: units ?? undefined,
    window,
    release,
    maxCredits,
    tags,
    isRetry,
    requestId: requestId ?? undefined,
    wantsPlace: wantsPlace ?? undefined,
    notAfter,
  };
}

/** The array of a call, whose key is beside it. */
export function rowOfCall(call: CallMade): CallRow {
  return [
    call.asked ?? null,
    call.window ?? null,
    call.release,
    call.api_key,
    call.rows,
    call.kind,
    call.cost[0],
    call.cost[1],
    call.card,
    call.rule,
    call.draws,
    call.balance,
    call.tags ?? null,
    call.request ?? null,
  ];
}

/** The call of a key and an array. Whether its members are of their types is up to the caller. */
export function callOfRow(key: CallMade['key'], row: CallRow): Complete<CallMade> {
  const [asked, window, release, apiKey, rows, kind, callCost, dataCost, ...others] = row;
  const [card, rule, draws, balance, tags, request] = others;
  return {
    key,
    asked: asked ?? undefined,
    window: window ?? undefined,
    release,
    api_key: apiKey,
    rows,
    kind,
    cost: [callCost, dataCost],
    card,
    rule,
    draws,
    balance,
    tags: tags ?? undefined,
    request: request ?? undefined,
    units: undefined,
    hold: undefined,
    waived: undefined,
    late: undefined,
  };
}
