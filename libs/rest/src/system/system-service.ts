import type pg from 'pg';
import type { Calendar } from '#calendar/calendar.js';
import type { Clock } from '#calendar/clock.js';
import type { Origin } from '#account/terms.js';
import type { Change } from '#deciding/changes/change.js';
import type { ChangeResult } from '#deciding/changes/change-result.js';
import type { SystemChanges } from '#deciding/changes/system-changes.js';
import { type WithoutOrigin } from '#deciding/changes/system-changes.js';
import { readDamage, type DamagedAccount } from '#event-log/damaged-accounts.js';
import { NOTHING } from '#event-log/fold.js';
import { RELEASE_WITHDRAWN, RELEASES as PUBLISHED } from '#popularity/release-events.js';
import { decideWithdrawal } from '#popularity/withdraw-release.js';
import { pageBy } from '../operation/queries.js';
import { problem, ProblemException } from '#web/problem.js';
import type { PageQuery } from '#web/query.js';
import type { Table } from '#web/table-answer.js';
import { rebuildView, verificationView } from './log-tools-view.js';
import { type LogTools } from './log-tools.js';
import type { LossAcknowledgements } from './loss-acknowledgements.js';
import { releaseView } from './release-view.js';
import { type Projections, type PublishedReleases } from './ports.js';
import type {
  LossAcknowledgement,
  Projection,
  Rebuild,
  Release,
  Verification,
} from './system.schemas.js';

// These names are the stored format of lane 0: types and members may be added, never renamed.
const VERIFICATION_STARTED = 'VerificationStarted';
const REBUILD_STARTED = 'RebuildStarted';

interface RebuildStarted extends Origin {
  readonly projection: string;
}

/** Idempotency keys of starts name one among all of them. */
const SCOPE = 'log-tools';
const RELEASE_SCOPE = 'releases';
/** So many are named, of all projections. */
const DAMAGED_MAX = 100;

/** The service itself: releases, projections, and long work on the log in the background. */
export class SystemService {
  constructor(
    private readonly published: PublishedReleases,
    private readonly running: Projections,
    private readonly tools: LogTools,
    private readonly losses: LossAcknowledgements,
    private readonly system: SystemChanges,
    private readonly pool: pg.Pool,
    private readonly calendar: Calendar,
    private readonly clock: Clock,
  ) {}

  /** Oldest first. */
  async releases(query: PageQuery): Promise<Table<Release>> {
    const page = pageBy(query);
    const published = await this.published.published();
    const { items, next } = page(published);
    return { items: items.map((release) => releaseView(release, published)), next };
  }

  /** Throws a ProblemException: `not-found`, or `conflict` once it serves or is withdrawn. */
  async withdrawRelease(label: string, change: Change): Promise<ChangeResult<Release>> {
    const { replayed, value } = await this.system
      .of(RELEASE_SCOPE, change)
      .append(PUBLISHED, (published) => {
        const now = this.clock.now();
        const decision = decideWithdrawal({ published, label, now, windows: this.calendar });
        if (decision.outcome === 'withdraw') {
          return { type: RELEASE_WITHDRAWN, at: now, data: decision.data };
        }
        throw refused(decision.outcome === 'unknown' ? 'not-found' : 'conflict', decision.reason);
      });
    const release = value.find((each) => each.label === label);
    if (release === undefined) throw refused('not-found', `There is no release ${label}.`);
    return { view: releaseView(release, value), replayed };
  }

  async projections(query: PageQuery): Promise<Table<Projection>> {
    const page = pageBy(query);
    const lag = await this.running.lag();
    const damage = await readDamage(this.pool, { limit: DAMAGED_MAX });
    const items = this.running.status().map(({ name, version, state, error }) => {
      const rebuild = this.tools.rebuilds.state(name);
      return {
        name,
        version,
        status: state,
        lag: lag.get(name) ?? 0,
        error: errorText(error),
        rebuild: rebuild && rebuildView(rebuild),
        damaged_accounts: damage.filter(({ projection }) => projection === name).map(damageView),
      };
    });
    return page(items);
  }

  async rebuild(name: string, change: Change): Promise<ChangeResult<Rebuild>> {
    const { rebuilds } = this.tools;
    if (!rebuilds.knows(name)) throw refused('not-found', 'There is no such projection.');
    const data: WithoutOrigin<RebuildStarted> = { projection: name };
    const isBusy = (): boolean => rebuilds.state(name)?.state === 'running';
    const replayed = await this.append(change, { type: REBUILD_STARTED, data }, isBusy);
    if (!replayed && rebuilds.start(name) !== 'started') throw busy();
    return { view: rebuildView(stateOf(rebuilds.state(name))), replayed };
  }

  async verify(change: Change): Promise<ChangeResult<Verification>> {
    const { verifications } = this.tools;
    const event = { type: VERIFICATION_STARTED, data: {} };
    const isBusy = (): boolean => verifications.state()?.state === 'running';
    const replayed = await this.append(change, event, isBusy);
    if (!replayed && verifications.start() === 'busy') throw busy();
    return { view: verificationView(stateOf(verifications.state())), replayed };
  }

  /** The latest. Throws a ProblemException (`not-found`). */
  async verification(): Promise<Verification> {
    const latest = (await this.tools.verifications.all()).at(-1);
    if (latest !== undefined) return latest;
    throw refused('not-found', 'The log has not been verified yet.');
  }

  /** Oldest first. */
  async verifications(query: PageQuery): Promise<Table<Verification>> {
    const page = pageBy(query);
    return page(await this.tools.verifications.all());
  }

  async acknowledge(change: Change): Promise<ChangeResult<LossAcknowledgement>> {
    return this.losses.acknowledge(change);
  }

  /** The event of a start. Returns whether an earlier request under the same key appended it. */
  private async append(
    change: Change,
    event: { readonly type: string; readonly data: object },
    isBusy: () => boolean,
  ): Promise<boolean> {
    const { replayed } = await this.system.of(SCOPE, change).append(NOTHING, () => {
      if (isBusy()) throw busy();
      return event;
    });
    return replayed;
  }
}

function damageView(damage: DamagedAccount): Projection['damaged_accounts'][number] {
  const { accountId: account_id, lane, position, version: account_version, error } = damage;
  return { account_id, lane, position, account_version, error };
}

function errorText(error: unknown): string | null {
  if (error === undefined) return null;
  return error instanceof Error ? error.message : 'Something was thrown that is no error.';
}

/** Works are known to the process that does them, for as long as it lives. */
function stateOf<State>(state: State | null): State {
  if (state !== null) return state;
  throw refused(
    'conflict',
    'Another process began it, and that one alone knows its state: ask again, or start another.',
  );
}

function busy(): ProblemException {
  return refused('conflict', 'It is under way already: wait until it ends, then start it again.');
}

function refused(slug: 'conflict' | 'not-found', detail: string): ProblemException {
  return new ProblemException(problem(slug, detail));
}
