import type { AccountEvent } from './events.js';
import { isOver, type AccountState } from './state.js';

// What older versions of the program wrote otherwise: their logs verify all the same.

/**
 * Older versions made portal links of closed accounts too, revoked API keys that had expired, made
 * budgets for keys that were over, left all purchases on their month's invoice, and credited one
 * that was voided between its month's end and that invoice.
 */
export function asOldState(state: AccountState, event: AccountEvent): AccountState {
  const { type, data, at } = event;
  if (type === 'PortalSessionOpened') return { ...state, closedAt: null };
  if (type === 'ApiKeyRevoked') return withApiKey(state, data.api_key, data.key_id, at);
  if (type === 'CreditsGranted' && data.invoiced === undefined) {
    return { ...state, billing: { ...state.billing, purchases: 'monthly' } };
  }
  if (type === 'GrantVoided' && data.refund_by === 'credit_note') {
    const unbilled = state.billing.unbilled.filter(({ month }) => month === undefined);
    return { ...state, billing: { ...state.billing, unbilled } };
  }
  return type === 'BudgetSet' ? withApiKey(state, data.api_key, '', at) : state;
}

/** An account as if a key that it was issued were not over. */
function withApiKey(
  state: AccountState,
  apiKey: number | null,
  id: string,
  at: number,
): AccountState {
  if (apiKey === null || apiKey < 1 || apiKey > state.lastApiKey) return state;
  const held = state.apiKeys.find(({ ordinal }) => ordinal === apiKey);
  if (held !== undefined && !isOver(held, at)) return state;
  const named = { ordinal: apiKey, id, hash: '', prefix: '', lastFour: '', scopes: [] };
  const key = { issuedAt: 0, profile: '', ...named, ...held, expiresAt: null };
  return { ...state, apiKeys: [...state.apiKeys.filter((one) => one !== held), key] };
}

/** Older versions wrote the close of a month without the grants, and left the overdraft. */
export function asOld(owed: AccountEvent, event: AccountEvent): AccountEvent {
  if (owed.type !== 'MonthClosed' || event.type !== 'MonthClosed') return owed;
  const { grants, overdraft, ...data } = owed.data;
  const known = {
    ...(event.data.grants !== undefined && { grants }),
    ...(event.data.overdraft !== undefined && { overdraft }),
  };
  return { ...owed, data: { ...data, ...known } };
}

/** Older versions did not say what is left of a grant, and gave nothing back. */
export function asOldVoid(expected: AccountEvent, event: AccountEvent): AccountEvent {
  if (expected.type !== 'GrantVoided' || event.type !== 'GrantVoided') return expected;
  if (event.data.left !== undefined) return expected;
  const { left: _left, ...data } = expected.data;
  return { ...expected, data };
}
