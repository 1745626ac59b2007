import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Page } from '#ledger/account-reads.js';
import { LOG_TOOLS, type LogTools } from './log-tools.js';
import { rebuildView } from './log-tools-view.js';
import { PROJECTIONS, type Projections, type ProjectionState } from './ports.js';

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
}

export class ListProjectionsQuery extends Query<Page<ProjectionView>> {}

@QueryHandler(ListProjectionsQuery)
export class ListProjectionsHandler implements IQueryHandler<ListProjectionsQuery> {
  constructor(
    @Inject(PROJECTIONS) private readonly projections: Projections,
    @Inject(LOG_TOOLS) private readonly tools: LogTools,
  ) {}

  async execute(): Promise<Page<ProjectionView>> {
    const lag = await this.projections.lag();
    const items = this.projections.status().map(({ name, version, state, error }) => ({
      name,
      version,
      status: state,
      lag: lag.get(name) ?? 0,
      error: errorText(error),
      rebuild: rebuildView(this.tools.rebuilds.state(name)),
    }));
    return { items, next: null };
  }
}

function errorText(error: unknown): string | null {
  if (error === undefined) return null;
  return error instanceof Error ? error.message : 'Something was thrown that is no error.';
}
