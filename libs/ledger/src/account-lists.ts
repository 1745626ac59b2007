import { ProblemException, problem } from '#web/problem.js';
import { PAGE_ROWS } from '#web/query.js';
import { pagedList, type List } from '#web/table-answer.js';
import type { AccountReads, CallFilter, CallView, GrantCallView } from './account-reads.js';
import type { UsageView, WindowKeyView } from './account-reads.js';
import { TAG, type Asked } from './usage-queries.js';

const BATCH_ROWS = 1_000;
/** Each batch of sums may be a matter of summing up anew. */
const SUMS_BATCH_ROWS = 10_000;

/**
 * The lists of one account as they are sent, the same by the API and to operators. They throw a
 * ProblemException (`not-found`) where there is no such account or grant.
 */
export class AccountLists {
  constructor(
    private readonly reads: AccountReads,
    private readonly accountId: string,
  ) {}

  windows(query: Asked<'windows'>): List<WindowKeyView> {
    const { window, order, as_of: asOf = null } = query;
    return pagedList(query.after ?? null, BATCH_ROWS, async (after, limit) =>
      found(await this.reads.windows(this.accountId, { window, order, asOf, after, limit })),
    );
  }

  usage(query: Asked<'usage'>): List<UsageView> {
    const { by, from = null, to = null, as_of: asOf = null } = query;
    return pagedList(query.after ?? null, SUMS_BATCH_ROWS, async (after, limit) =>
      found(await this.reads.usage(this.accountId, { by, from, to, asOf, after, limit })),
    );
  }

  calls(query: Asked<'calls'>): List<CallView> {
    const filter = callFilter(query);
    return {
      page: async () => found(await this.reads.calls(this.accountId, filter)),
      whole: async () => found(await this.reads.everyCall(this.accountId, filter)),
    };
  }

  grantCalls(grantId: string, query: Asked<'calls'>): List<GrantCallView> {
    const filter = callFilter(query);
    const { reads, accountId } = this;
    return {
      page: async () => found(await reads.grantCalls(accountId, grantId, filter), 'grant'),
      whole: async () => found(await reads.everyGrantCall(accountId, grantId, filter), 'grant'),
    };
  }
}

function callFilter(query: Asked<'calls'>): CallFilter {
  const [, name = '', value] = TAG.exec(query.tag ?? '') ?? [];
  return {
    after: query.after ?? null,
    limit: query.limit ?? PAGE_ROWS,
    order: query.order,
    from: query.from ?? null,
    to: query.to ?? null,
    resourceKey: query.resource_key ?? null,
    kind: query.kind ?? null,
    apiKeyId: query.api_key_id ?? null,
    tag: query.tag === undefined ? null : { name, value: value ?? null },
  };
}

function found<Found>(answer: Found | undefined, what = 'account'): Found {
  if (answer !== undefined) return answer;
  throw new ProblemException(problem('not-found', `There is no such ${what}.`));
}
