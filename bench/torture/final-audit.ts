import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { verifyLane } from '#event-log/verify-lane.js';
import { PostgresEventLog } from '#event-log/postgres-event-log.js';
import { Calendar } from '#calendar/calendar.js';
import { verifyLog } from '#projections/lane-threads/verify-log.js';
import { allProjections } from '#projections/projections/projections.js';
import { RATE_CARD_1 } from '#rating/rate-card.js';
import { bodyOf, type AdminClient } from './admin-client.js';
import { AnswerAudit } from './answer-audit.js';
import type { Customer } from './customers.js';
import type { Journal } from './journal.js';
import type { LogBook } from './log-book.js';
import { PRIORITIES_FROM } from './operator.js';
import { Wire } from './wire.js';

const POLL_MS = 250;
const PROJECTED_MS_MAX = 30_000;
const SETTLED_MS_MAX = 90_000;

export interface FinalAuditParts {
  readonly pool: pg.Pool;
  readonly journal: Journal;
  readonly book: LogBook;
  readonly answers: AnswerAudit;
  readonly admin: AdminClient;
  readonly customers: readonly Customer[];
  readonly clientPorts: readonly number[];
}

/** Checks at the end, without traffic, once everything has come to rest. */
export class FinalAudit {
  constructor(private readonly parts: FinalAuditParts) {}

  async run(): Promise<void> {
    const { book, answers, journal } = this.parts;
    await this.projected();
    await this.settled();
    await book.catchUp();
    answers.checkSold(Infinity);
    answers.checkCharges();
    this.changes();
    for (const customer of this.parts.customers) await this.balances(customer);
    await this.chains();
    await this.verified();
    journal.count(
      'events in the log',
      book.events - (journal.counts.get('events in the log') ?? 0),
    );
  }

  /** Every projection reaches the end of the log by itself. */
  private async projected(): Promise<void> {
    const { pool, journal } = this.parts;
    const behind = async (): Promise<string[]> => {
      const { rows } = await pool.query<{ text: string }>(
        `select concat(c.projection, ' in lane ', lane, ': ', c.position, ' of ', l.position) as text
           from lane l join checkpoint c using (lane) where c.position < l.position`,
      );
      return rows.map(({ text }) => text);
    };
    const startedAt = performance.now();
    while ((await behind()).length > 0) {
      if (performance.now() - startedAt > PROJECTED_MS_MAX) {
        const evidence = (await behind()).join('\n');
        journal.violation(
          'projections catch up',
          `${PROJECTED_MS_MAX} ms were not enough.`,
          evidence,
        );
        return;
      }
      await delay(POLL_MS);
    }
    journal.measure('projections caught up', performance.now() - startedAt);
  }

  private async settled(): Promise<void> {
    const { book, answers, journal } = this.parts;
    const startedAt = performance.now();
    await book.catchUp();
    while (answers.unsettled().length > 0 && performance.now() - startedAt < SETTLED_MS_MAX) {
      await delay(POLL_MS);
      await book.catchUp();
    }
    journal.measure('unknown fates settled', performance.now() - startedAt);
  }

  /** Every acknowledged change of an operator stands in the log once, a refused one not at all. */
  private changes(): void {
    const { journal, book } = this.parts;
    for (const change of journal.changes) {
      const { sequence, what, accountId, acknowledged, refused } = change;
      const name =
        what === 'grant'
          ? `priority ${PRIORITIES_FROM + sequence}`
          : what === 'issue' || what === 'revoke'
            ? `${what} ${acknowledged}`
            : `change ${sequence}`;
      const events = (book.changes.get(name) ?? []).filter((one) => one.accountId === accountId);
      const mayDoNothing = ['suspend', 'resume', 'clock'].includes(what);
      const mayBeMissing = mayDoNothing || journal.mayBeLost(change);
      const least = acknowledged === null || mayBeMissing ? 0 : 1;
      const most = refused === null ? 1 : 0;
      if (events.length >= least && events.length <= most) continue;
      const text = `Change ${sequence} (${what}) of ${accountId} made ${events.length} events.`;
      const evidence = JSON.stringify({ acknowledged, refused, events });
      journal.violation('every change is made once', text, evidence);
    }
  }

  /** The account as its owner and the operator read it is the account of the log. */
  private async balances(customer: Customer): Promise<void> {
    const { book } = this.parts;
    let fault: string | null;
    let events: number;
    // A call that was left under a key is given back once nobody can repeat it: also meanwhile.
    do {
      await book.catchUp();
      events = book.events;
      fault = await this.balanceFault(customer);
    } while (fault !== null && book.events > events);
    if (fault === null) return;
    const what = `${customer.name} ${customer.accountId}`;
    this.parts.journal.violation('the API returns the balance of the log', what, fault);
  }

  private async balanceFault(customer: Customer): Promise<string | null> {
    const { book, admin, clientPorts } = this.parts;
    const { accountId, keys } = customer;
    const shown = await admin.once('GET', `/accounts/${accountId}`);
    const headers = { authorization: `Bearer ${keys.at(-1)?.secret}`, connection: 'close' };
    const asked = { method: 'GET', path: '/v1/account', headers };
    const [own] = await new Wire(clientPorts[0] ?? 0).ask([asked]);
    await book.catchUp();
    const state = book.state(accountId);
    // Since the account was read, credits may have expired by themselves.
    const due = state.grants.filter(
      ({ expiresAt }) => expiresAt !== null && expiresAt <= (state.testClock ?? Date.now()),
    );
    const balance = state.balance - due.reduce((sum, { left }) => sum + left, 0);
    const left = state.grants.reduce((sum, grant) => sum + grant.left, 0);
    const read = [shown, own].map((answer) =>
      answer?.got === 'answer' ? Number(bodyOf(answer).balance) : Number.NaN,
    );
    const isSame = read.every((one) => one === balance) && left === Math.max(0, state.balance);
    return isSame ? null : JSON.stringify({ log: state.balance, due, left, read });
  }

  private async chains(): Promise<void> {
    const { pool, journal } = this.parts;
    const log = new PostgresEventLog(pool);
    for (const { lane } of await log.ends()) {
      const verdict = await verifyLane(log, lane);
      if (verdict.verdict === 'intact') continue;
      const text = `Lane ${lane} fits up to ${verdict.after}.`;
      journal.violation('both chains hold', text, verdict.reason);
    }
  }

  private async verified(): Promise<void> {
    const { pool, journal } = this.parts;
    const terms = { calendar: new Calendar('UTC'), cards: [RATE_CARD_1] };
    const report = await verifyLog(pool, allProjections(terms.calendar), terms);
    for (const { check, rule, differences, first } of report.checks) {
      if (differences === 0) continue;
      const text = `${check}: ${differences} differences (${rule})`;
      journal.violation('verify finds nothing', text, JSON.stringify(first));
    }
  }
}
