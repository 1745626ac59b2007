import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { problem, ProblemException } from '#web/problem.js';
import { BudgetReads, type VersionedBudget } from './budget-reads.js';

export class GetBudgetQuery extends Query<VersionedBudget> {
  constructor(
    readonly accountId: string,
    readonly budgetId: string,
  ) {
    super();
  }
}

@QueryHandler(GetBudgetQuery)
export class GetBudgetHandler implements IQueryHandler<GetBudgetQuery> {
  constructor(@Inject(BudgetReads) private readonly reads: BudgetReads) {}

  async execute({ accountId, budgetId }: GetBudgetQuery): Promise<VersionedBudget> {
    const { version, budgets } = await this.reads.all(accountId);
    const budget = budgets.find(({ id }) => id === budgetId);
    if (budget !== undefined) return { version, budget };
    throw new ProblemException(problem('not-found', 'The account has no such budget.'));
  }
}
