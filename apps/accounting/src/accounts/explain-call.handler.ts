import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { AccountReads, CallExplanation } from '#ledger/account-reads.js';
import { problem, ProblemException } from '#web/problem.js';
import { ACCOUNT_READS } from '#rest/operation/ports.js';

export class ExplainCallQuery extends Query<CallExplanation> {
  constructor(readonly callId: string) {
    super();
  }
}

@QueryHandler(ExplainCallQuery)
export class ExplainCallHandler implements IQueryHandler<ExplainCallQuery> {
  constructor(@Inject(ACCOUNT_READS) private readonly reads: AccountReads) {}

  async execute({ callId }: ExplainCallQuery): Promise<CallExplanation> {
    const call = await this.reads.call(null, callId);
    if (call !== undefined) return call;
    throw new ProblemException(problem('not-found', 'There is no such call.'));
  }
}
