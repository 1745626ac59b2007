import type { ReplayCall } from './calls.js';
import type {
  ChangeAccount,
  CloseAccount,
  EraseProfile,
  MoveTestClock,
  OpenAccount,
  SuspendAccount,
} from './account.js';
import type { AdjustCredits } from './adjustments.js';
import type { EndApiKey, IssueApiKey, RevokeApiKey } from './api-keys.js';
import type { ChangeBilling, RecordBilling } from './billing.js';
import type { RemoveBudget, SetBudget } from './budgets.js';
import type { ChargeRequest } from './charging.js';
import type { GrantCredits, VoidGrant } from './credits.js';
import type { OpenDispute, ResolveDispute } from './disputes.js';
import type { PlaceHold, ReleaseHold } from './holds.js';
import type { SettleHold } from './settle-hold.js';
import type { AddMember, RemoveMember } from './members.js';
import type { OrderCommand } from './orders.js';
import type { OpenPortalSession, RevokePortalSession } from './portal-sessions.js';

/** Records what has fallen due, and nothing else. */
export interface Tick {
  readonly command: 'tick';
}

/** Reports budgets that will be exceeded, beside what has fallen due. */
export interface ReportForecasts {
  readonly command: 'report-forecasts';
}

export interface MakeCall {
  readonly command: 'make-call';
  readonly request: ChargeRequest;
}

export type Command =
  | OpenAccount
  | SuspendAccount
  | ChangeAccount
  | CloseAccount
  | EraseProfile
  | IssueApiKey
  | RevokeApiKey
  | EndApiKey
  | GrantCredits
  | VoidGrant
  | AdjustCredits
  | MoveTestClock
  | SetBudget
  | RemoveBudget
  | ChangeBilling
  | RecordBilling
  | OpenPortalSession
  | RevokePortalSession
  | AddMember
  | RemoveMember
  | OpenDispute
  | ResolveDispute
  | OrderCommand
  | Tick
  | ReportForecasts
  | ReplayCall
  | PlaceHold
  | SettleHold
  | ReleaseHold
  | MakeCall;
