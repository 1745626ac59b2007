import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Page } from '#ledger/account-reads.js';
import { decodeNumberCursor, encodeCursor } from '#web/cursor.js';
import { BudgetReads } from './budget-reads.js';
import type { OperatorBudgetView } from './budget-view.js';

/** Budgets of an account in the order in which they were made. */
export class ListBudgetsQuery extends Query<Page<OperatorBudgetView>> {
  constructor(
    readonly accountId: string,
    readonly after: string | null,
    readonly limit: number,
  ) {
    super();
  }
}

@QueryHandler(ListBudgetsQuery)
export class ListBudgetsHandler implements IQueryHandler<ListBudgetsQuery> {
  constructor(@Inject(BudgetReads) private readonly reads: BudgetReads) {}

  async execute({ accountId, after, limit }: ListBudgetsQuery): Promise<Page<OperatorBudgetView>> {
    const first = after === null ? 0 : decodeNumberCursor(after);
    const budgets = await this.reads.all(accountId);
    const end = first + limit;
    return {
      items: budgets.slice(first, end).map(({ budget }) => budget),
      next: end < budgets.length ? encodeCursor(end) : null,
    };
  }
}
