import type { LaneGroups } from '#event-log/event-log.js';
import type { AccountingLimits } from '../accounting.js';

/** All that a decider knows when it starts. */
export interface DeciderData {
  readonly databaseUrl: string;
  /** Billing zone. */
  readonly zone: string;
  /** Groups of lanes that it owns. */
  readonly groups: LaneGroups;
  readonly limits: AccountingLimits;
}
