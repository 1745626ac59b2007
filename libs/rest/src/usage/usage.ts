import type {
  AccountReads,
  CallExplanation,
  CallFilter,
  CallMatch,
  CallView,
  EventView,
  GrantCallView,
  UsageView,
  WindowKeyView,
} from '#projections/views/account-reads.js';
import { TAG, type Asked, type CallMatchQuery } from './usage-queries.js';
import { found, problem, ProblemException } from '#web/problem.js';
import { PAGE_ROWS, type PageQuery } from '#web/query.js';
import { pagedList, type List, type Table } from '#web/table-answer.js';

const BATCH_ROWS = 1_000;
/** Each batch of sums may have to sum up all over again. */
const SUMS_BATCH_ROWS = 10_000;

/** Usage of accounts: calls, sums and explanations. */
export class AccountUsage {
  constructor(private readonly reads: AccountReads) {}

  windows(accountId: string, query: Asked<'windows'>): List<WindowKeyView> {
    const { window, order, as_of: asOf = null } = query;
    return pagedList(query.after ?? null, BATCH_ROWS, async (after, limit) =>
      found(await this.reads.windows(accountId, { window, order, asOf, after, limit }), 'account'),
    );
  }

  usage(accountId: string, query: Asked<'usage'>): List<UsageView> {
    const { by, from = null, to = null, as_of: asOf = null, order } = query;
    const match = callMatch(query);
    return pagedList(query.after ?? null, SUMS_BATCH_ROWS, async (after, limit) =>
      found(
        await this.reads.usage(accountId, { match, by, from, to, asOf, after, limit, order }),
        'account',
      ),
    );
  }

  calls(accountId: string, query: Asked<'calls'>): List<CallView> {
    const filter = callFilter(query);
    return {
      page: async () => found(await this.reads.calls(accountId, filter), 'account'),
      whole: async () => found(await this.reads.everyCall(accountId, filter), 'account'),
    };
  }

  grantCalls(accountId: string, grantId: string, query: Asked<'calls'>): List<GrantCallView> {
    const filter = callFilter(query);
    const { reads } = this;
    return {
      page: async () => found(await reads.grantCalls(accountId, grantId, filter), 'grant'),
      whole: async () => found(await reads.everyGrantCall(accountId, grantId, filter), 'grant'),
    };
  }

  async events(accountId: string, { after, limit, order }: PageQuery): Promise<Table<EventView>> {
    return found(await this.reads.events(accountId, after ?? null, limit, order), 'account');
  }

  /** `accountId`: whose call it must be; null: anybody's. */
  async explain(accountId: string | null, callId: string): Promise<CallExplanation> {
    const call = await this.reads.call(accountId, callId);
    if (call !== undefined) return call;
    const detail = accountId === null ? 'There is no such call.' : 'This account has no such call.';
    throw new ProblemException(problem('not-found', detail));
  }
}

/** Which calls are listed, as it was asked. */
export function callFilter(query: Asked<'calls'>): CallFilter {
  return {
    ...callMatch(query),
    after: query.after ?? null,
    limit: query.limit ?? PAGE_ROWS,
    order: query.order,
    from: query.from ?? null,
    to: query.to ?? null,
  };
}

/** Conditions on calls, as they were asked. */
export function callMatch(query: CallMatchQuery): CallMatch {
  const [, name = '', value] = TAG.exec(query.tag ?? '') ?? [];
  return {
    resourceKey: query.resource_key ?? null,
    resource: query.resource ?? null,
    region: query.region ?? null,
    rule: query.rule ?? null,
    kind: query.kind ?? null,
    apiKeyId: query.api_key_id ?? null,
    tag: query.tag === undefined ? null : { name, value: value ?? null },
  };
}
