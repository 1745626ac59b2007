import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Calendar } from '#calendar/calendar.js';
import type { Clock } from '#calendar/clock.js';
import { queryAnsweringAtOnce, requireComplete } from '#event-log/query-answering.js';
import type { Decider } from './submission.js';

const PERIOD_MS = 1_000;
const NOT_AFTER_MS = 10_000;
const PAGE_SIZE = 500;
/** A tick after which the row still says the same is repeated, in case that it has to be. */
const AGAIN_MS = 60_000;
const NOBODY = '00000000-0000-0000-0000-000000000000';

interface Due {
  readonly account_id: string;
  /** As the database writes it: a moment in JavaScript may be another one. */
  readonly due_at: string;
  /** The same in µs since 1970. */
  readonly due_us: number;
}

interface TimerTick {
  readonly dueAt: string;
  /** Ms since 1970. */
  readonly at: number;
}

/**
 * Sends a tick to accounts of which something has fallen due, so that it stands in the log also
 * when nobody calls: nearly all accounts at once where a month or a window ends. Several processes
 * may do so: the second tick finds nothing to do.
 */
export class DueTimer {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  /** Ticks by account: a row may go on to say that something is due until it is written again. */
  private ticked = new Map<string, TimerTick>();
  private stopping = false;
  /** The local day on which budgets were last held against their forecasts. */
  private foretold = '';
  /** Not again before: lanes were away. Ms since 1970. */
  private foretellAt = 0;

  constructor(
    private readonly pool: pg.Pool,
    private readonly accounting: Decider,
    private readonly clock: Clock,
    private readonly calendar: Pick<Calendar, 'dayAt'>,
    private readonly onFault: (error: unknown) => void,
  ) {}

  start(): void {
    this.timer = setTimeout(() => {
      this.running = this.tickAll().catch(this.onFault);
      void this.running.then(() => this.stopping || this.start());
    }, PERIOD_MS);
    this.timer.unref();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    clearTimeout(this.timer);
    await this.running;
  }

  /**
   * Ticks every account once that is due by now, the longest overdue first. A tick may find that
   * nothing is due any more: the row shows an account as it was some calls ago. `isWhole`: throws
   * where lanes do not answer, instead of going without their accounts.
   */
  async tickAll(isWhole = false): Promise<void> {
    const now = this.clock.now();
    const before = this.ticked;
    this.ticked = new Map();
    let page = await this.readDue(now, null, isWhole);
    while (page.length > 0) {
      const due = page.filter((one) => this.isNew(one, before, now));
      await this.send(
        due.map(({ account_id: id }) => id),
        'tick',
      );
      const isLast = page.length < PAGE_SIZE || this.stopping;
      page = isLast ? [] : await this.readDue(now, page.at(-1) ?? null, isWhole);
    }
    await this.foretell(now);
  }

  /** Once a day, and as a process starts. */
  private async foretell(now: number): Promise<void> {
    const day = this.calendar.dayAt(now).label;
    if (day === this.foretold || now < this.foretellAt) return;
    let last = NOBODY;
    let isAll = true;
    for (;;) {
      const { ids, isWhole } = await this.readBudgeted(last);
      isAll &&= isWhole;
      await this.send(ids, 'report-forecasts');
      last = ids.at(-1) ?? NOBODY;
      if (ids.length < PAGE_SIZE || this.stopping) break;
    }
    if (isAll) this.foretold = day;
    else this.foretellAt = now + AGAIN_MS;
  }

  /** Accounts in real time that have budgets, behind one. */
  private async readBudgeted(
    after: string,
  ): Promise<{ readonly ids: readonly string[]; readonly isWhole: boolean }> {
    const { rows, away } = await queryAnsweringAtOnce<{ account_id: string }>(this.pool, {
      name: 'accounts-budgeted',
      text: `select account_id from ledger_account l
                where account_id > $1::uuid and json_array_length(state -> 'budgets') > 0
                  and state ->> 'testClock' is null
                  and not exists (select from damaged_account d
                                   where d.projection = 'ledger' and d.lane = l.lane
                                     and d.account_id = l.account_id)
                order by account_id limit ${PAGE_SIZE}`,
      values: [after],
    });
    const ids = rows.map(({ account_id: id }) => id);
    return { ids: ids.toSorted().slice(0, PAGE_SIZE), isWhole: away.length === 0 };
  }

  private isNew(
    { account_id: id, due_at: dueAt }: Due,
    before: ReadonlyMap<string, TimerTick>,
    now: number,
  ): boolean {
    const last = before.get(id);
    const isNew = last?.dueAt !== dueAt || now - last.at >= AGAIN_MS;
    this.ticked.set(id, isNew ? { dueAt, at: now } : last);
    return isNew;
  }

  private async readDue(now: number, after: Due | null, isWhole: boolean): Promise<readonly Due[]> {
    const answers = await queryAnsweringAtOnce<Due>(this.pool, {
      name: 'accounts-due',
      text: `select account_id, due_at::text as due_at,
                    (extract(epoch from due_at) * 1000000)::int8 as due_us
               from ledger_account l
              where due_at <= to_timestamp($1::bigint / 1000.0)
                and not exists (select from damaged_account d
                                 where d.projection = 'ledger' and d.lane = l.lane
                                   and d.account_id = l.account_id)
                and ($2::timestamptz is null or (due_at, account_id) > ($2, $3::uuid))
              order by l.due_at, account_id limit ${PAGE_SIZE}`,
      values: [now, after?.due_at ?? null, after?.account_id ?? null],
    });
    const rows = isWhole ? requireComplete(answers) : answers.rows;
    return rows.toSorted(byMoment).slice(0, PAGE_SIZE);
  }

  /** An account that cannot be ticked keeps no other one from it. */
  private async send(
    accounts: readonly string[],
    command: 'tick' | 'report-forecasts',
  ): Promise<void> {
    const notAfter = this.clock.now() + NOT_AFTER_MS;
    const ticks = accounts.map((accountId) =>
      this.accounting.submit({
        accountId,
        callId: randomUUID(),
        isRetry: false,
        notAfter,
        command: { command },
      }),
    );
    for (const [index, outcome] of (await Promise.allSettled(ticks)).entries()) {
      if (outcome.status === 'fulfilled') continue;
      this.ticked.delete(accounts[index] ?? '');
      this.onFault(outcome.reason);
    }
  }
}

/** The longest overdue first. */
function byMoment(one: Due, other: Due): number {
  return one.due_us - other.due_us || (one.account_id < other.account_id ? -1 : 1);
}
