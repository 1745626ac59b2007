import { NOTHING } from '#event-log/fold.js';
import type { Origin } from '#account/events.js';
import { problem, ProblemException } from '#web/problem.js';
import type { Made } from '#deciding/changes/made.js';
import { originOf, type Change } from '#deciding/changes/change.js';
import type { CommandIds } from '#deciding/changes/command-ids.js';
import type { SystemChanges } from '#deciding/changes/system-changes.js';
import type { RebuildState } from '../log-tools/rebuilds.js';
import type { VerificationState } from '../log-tools/verifications.js';
import type { LogTools } from './log-tools.js';

// These names are the stored format of lane 0: types and members may be added, never renamed.
export const VERIFICATION_STARTED = 'VerificationStarted';
export const REBUILD_STARTED = 'RebuildStarted';

export interface RebuildStarted extends Origin {
  readonly projection: string;
}

/** Idempotency keys of starts name one among all of them. */
const SCOPE = 'log-tools';

/** Starts long works on the log, each with an event before it that says who asked for it. */
export class ToolStarts {
  constructor(
    private readonly tools: LogTools,
    private readonly system: SystemChanges,
    private readonly ids: CommandIds,
  ) {}

  async verification(change: Change, reason?: string): Promise<Made<VerificationState>> {
    const { verifications } = this.tools;
    const event = { type: VERIFICATION_STARTED, data: originOf(change, reason) };
    const isBusy = (): boolean => verifications.state()?.state === 'running';
    const replayed = await this.tell(change, event, isBusy);
    if (!replayed && verifications.start() === 'busy') throw busy();
    return { view: stateOf(verifications.state()), replayed };
  }

  async rebuild(name: string, change: Change, reason?: string): Promise<Made<RebuildState>> {
    const { rebuilds } = this.tools;
    if (!rebuilds.knows(name)) {
      throw new ProblemException(problem('not-found', 'There is no such projection.'));
    }
    const data: RebuildStarted = { ...originOf(change, reason), projection: name };
    const isBusy = (): boolean => rebuilds.state(name)?.state === 'running';
    const replayed = await this.tell(change, { type: REBUILD_STARTED, data }, isBusy);
    if (!replayed && rebuilds.start(name) !== 'started') throw busy();
    return { view: stateOf(rebuilds.state(name)), replayed };
  }

  /** Answers whether an earlier request under the same key told it. */
  private async tell(
    change: Change,
    event: { readonly type: string; readonly data: Origin },
    isBusy: () => boolean,
  ): Promise<boolean> {
    const { replayed } = await this.system.append(
      this.ids.next(SCOPE, change),
      change,
      NOTHING,
      () => {
        if (isBusy()) throw busy();
        return event;
      },
    );
    return replayed;
  }
}

/** Works are known to the process that does them, for as long as it lives. */
function stateOf<State>(state: State | null): State {
  if (state !== null) return state;
  throw new ProblemException(problem('conflict', 'Another process began it.'));
}

function busy(): ProblemException {
  return new ProblemException(problem('conflict', 'It is under way already.'));
}
