import { Inject, Injectable } from '@nestjs/common';
import { formatMoment } from '#calendar/instant.js';
import type { AccountReads } from '#ledger/views/account-reads.js';
import type { LogRows } from '#reconciliation/log-rows.js';
import { Matching, type Difference } from '#reconciliation/matching.js';
import { Places } from '#web/places.js';
import { found, problem, ProblemException } from '#web/problem.js';
import { Turns } from '#web/turns.js';
import { ACCOUNT_READS } from '../operation/ports.js';
import { readLog, type SentLog } from './read-log.js';
import type { LogDifference, Reconciliation } from './reconciliation.schemas.js';

/** Calls without a row that are kept: more mean that the log is of something else. */
const LEFT_MAX = 250_000;
const SECOND_MS = 1_000;
/** Calls that are looked for at once. */
const IDS_MAX = 1_000;

/** The sums, and all differences by their time, of which each is shown only once it is sent. */
export interface Reconciled {
  readonly sums: Omit<Reconciliation, 'differences'>;
  readonly count: number;
  readonly shown: (from: number, to: number) => LogDifference[];
}

/** Matches a customer's log with its calls; nothing of it is kept. */
@Injectable()
export class Reconciliations {
  /** A log takes about 100 MB at most while it is matched. */
  private readonly places = new Places(1);

  constructor(
    @Inject(ACCOUNT_READS)
    private readonly reads: Pick<AccountReads, 'account' | 'chargedCalls' | 'chargedCallsOf'>,
  ) {}

  /** Throws a ProblemException for what is wrong with the log. */
  of(accountId: string, log: SentLog, toleranceS: number): Promise<Reconciled> {
    return this.places.run(() => this.match(accountId, log, toleranceS));
  }

  private async match(accountId: string, log: SentLog, toleranceS: number): Promise<Reconciled> {
    found(await this.reads.account(accountId), 'account');
    const { rows, ignored } = await readLog(log);
    const toleranceMs = toleranceS * SECOND_MS;
    const matching = new Matching(rows, toleranceMs);
    const differences: Difference[] = [];
    const { from, to } = rows.span;
    if (rows.length > 0) {
      const span = [from - toleranceMs, to + toleranceMs] as const;
      for await (const batch of this.reads.chargedCalls(accountId, ...span)) {
        for (const call of batch) {
          const difference = matching.add(call);
          if (difference !== null) differences.push(difference);
        }
        refuseStrange(matching.left);
      }
    }
    // Their clock may have been wrong: a call that is named is found at any time.
    for (const ids of inParts([...matching.namedIds()], IDS_MAX)) {
      for (const call of await this.reads.chargedCallsOf(accountId, ids)) {
        const difference = matching.add(call);
        if (difference !== null) differences.push(difference);
      }
    }
    const turns = new Turns();
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
    return {
      sums: {
        rows: rows.length,
        ignored_rows: ignored,
        calls: matched + there + different,
        matched,
        missing_here: here,
        missing_there: there,
        different,
        tolerance_seconds: toleranceS,
        from: rows.length === 0 ? null : formatMoment(from),
        to: rows.length === 0 ? null : formatMoment(to),
      },
      count: differences.length,
      shown: (first, end) => differences.slice(first, end).map((one) => viewOf(one, rows)),
    };
  }
}

function* inParts<Item>(items: readonly Item[], most: number): Generator<readonly Item[]> {
  for (let first = 0; first < items.length; first += most) yield items.slice(first, first + most);
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
