import type pg from 'pg';
import { type AccountState, momentOf } from '#account/state.js';
import { isBillable, isMonthFault } from '#invoice-rules/invoice-lines.js';
import type { Calendar } from '#calendar/calendar.js';
import type { Clock } from '#calendar/clock.js';
import { withTransaction } from '#database/database.js';
import type { SystemStream } from '#event-log/system-stream.js';
import { readClosesOf } from '../invoices/account-closes.js';
import { readClosedMonths } from '../invoices/closed-months.js';
import { dueMonth, duePurchase, dueReissue, HELD, heldSummary } from '../invoices/due-drafts.js';
import type { DueDraft, DueOf } from '../invoices/due-drafts.js';
import { findHeldAccount, IS_DUE } from '../invoices/held-invoices.js';
import { readParties } from '../invoices/parties.js';
import { readReissue } from '../invoices/read-reissue.js';
import { loadAccounts } from '../loading/account-loader.js';
import { readAccountNames } from './account-names.js';
import type { HeldFilter, HeldInvoiceView, HeldPage, HeldReads } from '../views/invoice-reads.js';
import type { HeldSummary } from '../views/invoice-reads.js';
import { queryAllLanes } from '#event-log/query-by-lane.js';

/** A held invoice and its place in a list: its month and id. */
interface PlacedHeld {
  readonly place: string;
  readonly summary: HeldSummary;
}

interface HeldDraft extends DueDraft {
  /** Of the account's chain, where a close vouches for it. */
  readonly head: string;
}

/**
 * Reads of held invoices. Those of one account are made of the log and the facts as they are now;
 * a list over all accounts shows them as they were judged last.
 */
export class PostgresHeldReads implements HeldReads {
  constructor(
    private readonly pool: pg.Pool,
    private readonly system: Pick<SystemStream, 'read'>,
    private readonly calendar: Calendar,
    private readonly clock: Clock,
  ) {}

  /** In an order that stays. `after`: a place in it. */
  async list(filter: HeldFilter): Promise<HeldPage> {
    const { accountId, limit } = filter;
    const found =
      accountId === null ? await this.ofAll(filter) : await this.ofOne(accountId, filter);
    const page = found.slice(0, limit);
    const next = found.length > limit ? page.at(-1)?.place : undefined;
    return { items: page.map(({ summary }) => summary), next: next ?? null };
  }

  /** An invoice that is due and not sealed; undefined: there is none of that id. */
  async find(owner: string | null, documentId: string): Promise<HeldInvoiceView | undefined> {
    const accountId = owner ?? (await findHeldAccount(this.pool, documentId));
    const held = accountId === undefined ? [] : await this.dueOf(accountId);
    const found = held.find(({ draft }) => draft.id === documentId);
    if (found === undefined) return undefined;
    const { draft, reasons, head } = found;
    return {
      number: null,
      ...draft,
      account_head: head,
      state: HELD,
      reasons,
      credit_notes: [],
      payments: [],
      reminders: { stopped: false, sent: [] },
    };
  }

  private async ofAll({ after, limit, month, test }: HeldFilter): Promise<readonly PlacedHeld[]> {
    type Row = PlacedHeld & { readonly account_id: string };
    const found = await queryAllLanes<Row>(this.pool, {
      name: 'held-all',
      text: `select h.month || ' ' || h.document_id as place, h.account_id, h.summary
               from held_invoice h
              where h.month || ' ' || h.document_id > $1 collate "C" and ($2::text is null or h.month = $2)
                and ($3::boolean is null or (h.summary ->> 'test')::boolean = $3) and ${IS_DUE}
              order by h.month, h.document_id limit $4`,
      values: [after, month, test, limit + 1],
    });
    const rows = found.toSorted((a, b) => (a.place < b.place ? -1 : 1)).slice(0, limit + 1);
    const names = await readAccountNames(
      this.pool,
      rows.map((row) => row.account_id),
    );
    return rows.map(({ place, account_id: id, summary }) => ({
      place,
      summary: { ...summary, account_name: names.get(id) ?? null },
    }));
  }

  private async ofOne(
    accountId: string,
    { after, month, test }: HeldFilter,
  ): Promise<readonly PlacedHeld[]> {
    const held = (await this.dueOf(accountId)).filter(({ reasons }) => reasons.length > 0);
    return held
      .map((due) => ({ place: `${due.draft.month} ${due.draft.id}`, summary: heldSummary(due) }))
      .filter(
        ({ place, summary }) =>
          place > after &&
          (month === null || summary.month === month) &&
          (test === null || summary.test === test),
      )
      .toSorted((one, other) => (one.place < other.place ? -1 : 1));
  }

  private async dueOf(accountId: string): Promise<readonly HeldDraft[]> {
    return withTransaction(
      this.pool,
      async (client) => {
        const { accounts } = await loadAccounts(client, [accountId], false);
        const state = accounts.get(accountId)?.state;
        if (state === undefined || state.version === 0) return [];
        const [parties] = await readParties(client, this.system, [state]);
        if (parties === undefined) throw new Error('An account has no parties.');
        const issueDate = this.calendar.dayAt(momentOf(state, this.clock.now())).label;
        const of = { accountId, state, parties, issueDate };
        return [
          ...this.purchases(of, state),
          ...(await reissues(client, of)),
          ...(await this.months(client, of, state)),
        ];
      },
      'repeatable read',
    );
  }

  private purchases(of: DueOf, { billing }: AccountState): readonly HeldDraft[] {
    return billing.unbilled
      .filter(({ isMonthly }) => !isMonthly)
      .map((purchase) => {
        const due = duePurchase(purchase, of, this.calendar);
        return { ...due, head: '' };
      });
  }

  private async months(
    client: pg.ClientBase,
    of: DueOf,
    { billing }: AccountState,
  ): Promise<readonly HeldDraft[]> {
    const held: HeldDraft[] = [];
    for (const close of await readClosesOf(client, of.accountId, billing.invoicedMonth)) {
      const [reading] = await readClosedMonths(client, [close], this.calendar);
      if (reading === undefined || !isBillable(reading.facts)) continue;
      try {
        const due = dueMonth(reading.facts, of, held[0]?.draft.month ?? null);
        held.push({ ...due, head: reading.close.account_head ?? '' });
      } catch (error) {
        // Somebody has to look at it first: it is in the log of the process.
        if (!isMonthFault(error)) throw error;
      }
    }
    return held;
  }
}

/** Invoices in the place of voided ones. */
async function reissues(client: pg.ClientBase, of: DueOf): Promise<readonly HeldDraft[]> {
  const { accountId, state } = of;
  const held: HeldDraft[] = [];
  for (const one of state.billing.reissues) {
    const reissue = await readReissue(client, accountId, state, one);
    if (reissue === undefined) continue;
    const { account_head: head } = reissue.voided;
    held.push({ ...dueReissue(reissue, of), head });
  }
  return held;
}
