import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import pg from 'pg';
import { readDamage, type DamagedAccount } from '#event-log/damaged-accounts.js';
import type { Page } from '#ledger/account-reads.js';
import { LOG_TOOLS, type LogTools } from './log-tools.js';
import { rebuildView } from './log-tools-view.js';
import { PROJECTIONS, type Projections, type ProjectionState } from './ports.js';

/** So many are named, of all projections. */
const DAMAGED_MAX = 100;

export interface DamagedAccountView {
  readonly account_id: string;
  readonly lane: number;
  readonly position: number;
  readonly account_version: number;
  readonly error: string;
}

export interface ProjectionView {
  readonly name: string;
  readonly version: number;
  readonly status: ProjectionState['state'];
  /** Events of the log that its rows do not hold yet. */
  readonly lag: number;
  /** What stopped it, or the outage it waits for. */
  readonly error: string | null;
  /** The latest rebuild that this process began. */
  readonly rebuild: object | null;
  /** Accounts of which it cannot apply an event, the first ones. */
  readonly damaged_accounts: readonly DamagedAccountView[];
}

export class ListProjectionsQuery extends Query<Page<ProjectionView>> {}

@QueryHandler(ListProjectionsQuery)
export class ListProjectionsHandler implements IQueryHandler<ListProjectionsQuery> {
  constructor(
    @Inject(PROJECTIONS) private readonly projections: Projections,
    @Inject(LOG_TOOLS) private readonly tools: LogTools,
    @Inject(pg.Pool) private readonly pool: pg.Pool,
  ) {}

  async execute(): Promise<Page<ProjectionView>> {
    const lag = await this.projections.lag();
    const damage = await readDamage(this.pool, { limit: DAMAGED_MAX });
    const items = this.projections.status().map(({ name, version, state, error }) => ({
      name,
      version,
      status: state,
      lag: lag.get(name) ?? 0,
      error: errorText(error),
      rebuild: rebuildView(this.tools.rebuilds.state(name)),
      damaged_accounts: damage.filter(({ projection }) => projection === name).map(damageView),
    }));
    return { items, next: null };
  }
}

function damageView(damage: DamagedAccount): DamagedAccountView {
  const { accountId: account_id, lane, position, version: account_version, error } = damage;
  return { account_id, lane, position, account_version, error };
}

function errorText(error: unknown): string | null {
  if (error === undefined) return null;
  return error instanceof Error ? error.message : 'Something was thrown that is no error.';
}
