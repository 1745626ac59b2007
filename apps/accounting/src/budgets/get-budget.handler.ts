import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { problem, ProblemException } from '#web/problem.js';
import { BudgetReads, type TaggedBudget } from './budget-reads.js';

export class GetBudgetQuery extends Query<TaggedBudget> {
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

  async execute({ accountId, budgetId }: GetBudgetQuery): Promise<TaggedBudget> {
    const found = (await this.reads.all(accountId)).find(({ budget }) => budget.id === budgetId);
    if (found !== undefined) return found;
    throw new ProblemException(problem('not-found', 'The account has no such budget.'));
  }
}
