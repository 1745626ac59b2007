import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { formatMoment } from '#calendar/instant.js';
import type { AccountReads } from '#projections/views/account-reads.js';
import type { LogRows } from '#reconciliation/log-rows.js';
import { Matching, type Difference } from '#reconciliation/matching.js';
import { decodeNumberCursor, encodeCursor } from '#web/cursor.js';
import { Places } from '#web/places.js';
import { found, problem, ProblemException } from '#web/problem.js';
import type { PageQuery } from '#web/query.js';
import { pagedList, type List, type Table } from '#web/table-answer.js';
import { FairQueue } from '#web/fair-queue.js';
import { pageBy } from '../operation/queries.js';
import { KEPT_DIFFERENCES_MAX, KeptReconciliations, PART_ROWS } from './kept-reconciliations.js';
import { readLog, type ReadLog, type SentLog } from './read-log.js';
import type {
  LogDifference,
  ReconciliationQuery,
  ReconciliationSums,
} from './reconciliation.schemas.js';

/** Calls without a row that are kept: more mean that the log is of something else. */
const LEFT_MAX = 250_000;
const SECOND_MS = 1_000;
/** Calls that are looked for at once. */
const IDS_MAX = 1_000;

type DifferenceQuery = Pick<PageQuery, 'order'> & { readonly after?: string | undefined };

/** The sums, and all differences by their time, of which each is shown only once it is sent. */
export interface ReconciliationResult {
  readonly sums: ReconciliationSums;
  readonly count: number;
  readonly shown: (from: number, to: number) => LogDifference[];
}

interface FoundDifferences extends Omit<ReconciliationResult, 'sums'> {
  readonly sums: Omit<ReconciliationSums, 'kept_differences'>;
}

/** Matches a customer's log with its calls; of the log only what was found is kept. */
export class Reconciliations {
  /** The rows of a log take up to 100 MB; a slow sender does not hold up all others. */
  private readonly logs = new Places(3, 0);
  private readonly matches = new Places(1);
  private readonly kept: KeptReconciliations;

  constructor(
    private readonly reads: Pick<AccountReads, 'account' | 'chargedCalls' | 'chargedCallsOf'>,
    pool: pg.Pool,
  ) {
    this.kept = new KeptReconciliations(pool);
  }

  /** Keeps what was found. Throws a ProblemException for what is wrong with the log. */
  of(accountId: string, log: SentLog, query: ReconciliationQuery): Promise<ReconciliationResult> {
    return this.logs.run(async () => {
      found(await this.reads.account(accountId), 'account');
      const read = await readLog(log);
      const match = () => this.match(accountId, read, query);
      const { sums, count, shown } = await this.matches.run(match);
      const kept = { ...sums, kept_differences: Math.min(count, KEPT_DIFFERENCES_MAX) };
      await this.kept.save(accountId, kept, shown);
      return { sums: kept, count, shown };
    });
  }

  /** Throws a ProblemException and BadCursorError. */
  async list(accountId: string, query: PageQuery): Promise<Table<ReconciliationSums>> {
    const page = pageBy(query);
    found(await this.reads.account(accountId), 'account');
    return page(await this.kept.list(accountId));
  }

  /** Throws a ProblemException where it is not one of the account, or not kept any more. */
  async sums(accountId: string, id: string): Promise<ReconciliationSums> {
    return found(await this.kept.sums(accountId, id), 'reconciliation');
  }

  /** Throws a ProblemException and BadCursorError. */
  async differences(
    accountId: string,
    id: string,
    { after, order }: DifferenceQuery,
  ): Promise<List<LogDifference>> {
    const { kept_differences: count } = await this.sums(accountId, id);
    return pagedList(after ?? null, PART_ROWS, async (place, limit) => {
      const from = place === null ? 0 : decodeNumberCursor(place);
      const end = Math.min(from + limit, count);
      const next = end < count ? encodeCursor(end) : null;
      if (order === 'asc') return { items: await this.kept.differences(id, from, end), next };
      const items = await this.kept.differences(id, count - end, count - from);
      return { items: items.toReversed(), next };
    });
  }

  private async match(
    accountId: string,
    { rows, ignored }: ReadLog,
    query: ReconciliationQuery,
  ): Promise<FoundDifferences> {
    const toleranceMs = query.tolerance_seconds * SECOND_MS;
    const span = { from: query.from ?? rows.span.from, to: query.to ?? rows.span.to };
    const matching = new Matching(rows, toleranceMs, span);
    const differences: Difference[] = [];
    if (span.from < span.to) {
      const around = [span.from - toleranceMs, span.to + toleranceMs] as const;
      for await (const batch of this.reads.chargedCalls(accountId, ...around)) {
        for (const call of batch) {
          const difference = matching.add(call);
          if (difference !== null) differences.push(difference);
        }
        refuseStrange(matching.left);
      }
    }
    // Their clock may have been wrong: a call that is named is found at any time.
    for (const ids of inParts(matching.namedIds(), IDS_MAX)) {
      for (const call of await this.reads.chargedCallsOf(accountId, ids)) {
        const difference = matching.add(call);
        if (difference !== null) differences.push(difference);
      }
    }
    const turns = new FairQueue();
    for (const difference of matching.rest()) {
      differences.push(difference);
      await turns.pass();
    }
    differences.sort((one, other) => timeOf(one, rows) - timeOf(other, rows));
    const count = (kind: Difference['kind']) =>
      differences.filter((one) => one.kind === kind).length;
    const { matched } = matching;
    const [here, there, different] = [
      count('missing_here'),
      count('missing_there'),
      count('different'),
    ];
    const compared = matched + here + different;
    return {
      sums: {
        id: randomUUID(),
        created_at: formatMoment(Date.now()),
        rows: compared,
        ignored_rows: ignored + rows.length - compared,
        calls: matched + there + different,
        matched,
        missing_here: here,
        missing_there: there,
        different,
        tolerance_seconds: query.tolerance_seconds,
        from: Number.isFinite(span.from) ? formatMoment(span.from) : null,
        to: Number.isFinite(span.to) ? formatMoment(query.to ?? span.to - 1) : null,
      },
      count: differences.length,
      shown: (first, end) => differences.slice(first, end).map((one) => viewOf(one, rows)),
    };
  }
}

function* inParts<Item>(items: Iterable<Item>, most: number): Generator<readonly Item[]> {
  let part: Item[] = [];
  for (const item of items) {
    if (part.push(item) < most) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}

function refuseStrange(left: number): void {
  if (left <= LEFT_MAX) return;
  const detail = `More than ${LEFT_MAX.toLocaleString('en')} calls have no row: send the log of a shorter span.`;
  throw new ProblemException(problem('too-large', detail));
}

function timeOf(one: Difference, rows: LogRows): number {
  return one.kind === 'missing_here' ? rows.at(one.row) : one.call.at;
}

function viewOf(one: Difference, rows: LogRows): LogDifference {
  const row = one.kind === 'missing_there' ? null : one.row;
  const call = one.kind === 'missing_here' ? null : one.call;
  return {
    kind: one.kind,
    in: one.kind === 'different' ? [...one.in] : [],
    line: row === null ? null : rows.line(row),
    logged_at: row === null ? null : formatMoment(rows.at(row)),
    logged_url: row === null ? null : rows.path(row),
    logged_credits: row === null ? null : rows.credits(row),
    call_id: call === null ? null : call.callId,
    at: call === null ? null : formatMoment(call.at),
    key: call === null ? null : call.key,
    credits: call === null ? null : call.credits,
  };
}
