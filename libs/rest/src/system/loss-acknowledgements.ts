import type { Origin } from '#account/terms.js';
import type { LostPositions } from '#event-log/lane-continuity.js';
import { LOG_LOSS_ACKNOWLEDGED, STANDING_LOSSES } from '#event-log/log-losses.js';
import type { ChangeResult } from '#deciding/changes/change-result.js';
import type { Change } from '#deciding/changes/change.js';
import type { WithoutOrigin, SystemChanges } from '#deciding/changes/system-changes.js';
import type { LossAcknowledgement } from './system.schemas.js';

/** Data of `LogLossAcknowledged`: the losses that stood. Members may be added, never renamed. */
interface LogLossAcknowledged extends Origin {
  readonly lanes: readonly LostPositions[];
}

/** Idempotency keys of acknowledgements name one among these. */
const SCOPE = 'log-losses';

/** Operators say that they have looked at positions that the log has lost. */
export class LossAcknowledgements {
  constructor(
    private readonly changes: SystemChanges,
    /** Numbers the documents that have waited for it. The next search does what fails. */
    private readonly number: () => Promise<unknown>,
  ) {}

  async acknowledge(change: Change): Promise<ChangeResult<LossAcknowledgement>> {
    const { changes, number } = this;
    const made = await changes.of(SCOPE, change).append(STANDING_LOSSES, (lanes) => {
      if (lanes.length === 0) return null;
      const data: WithoutOrigin<LogLossAcknowledged> = { lanes };
      return { type: LOG_LOSS_ACKNOWLEDGED, data };
    });
    number().catch(() => undefined);
    const data = made.event && (JSON.parse(made.event.data) as LogLossAcknowledged);
    return { view: { acknowledged: data?.lanes ?? [] }, replayed: made.replayed };
  }
}
