import type pg from 'pg';
import type { ChargeRequest } from '#account/charging.js';
import { int8Array, uuidArray } from '#event-log/binary-array.js';

const CREDITS = 1_000_000_000_000;
const BATCH_MAX = 512;

const TABLES = `
create table sql_account (id uuid primary key, balance int8 not null check (balance >= 0));
create table sql_transfer (id uuid primary key, account uuid not null, amount int8 not null,
                           balance int8 not null, at timestamptz not null default now())`;

/** Locks in one order: batches side by side wait for each other and never in a circle. */
const TRANSFER = `
with wanted as (
  select * from unnest($1::uuid[], $2::uuid[], $3::int8[]) with ordinality as w (id, account, amount, n)
), locked as (
  select id, balance from sql_account where id in (select account from wanted) order by id for update
), run as (
  select w.id, w.account, w.amount,
         l.balance - sum(w.amount) over (partition by w.account order by w.n) as balance
    from wanted w join locked l on l.id = w.account
), accepted as (
  insert into sql_transfer (id, account, amount, balance)
  select id, account, amount, balance from run where balance >= 0
  returning id, account, amount, balance
), moved as (
  update sql_account a set balance = a.balance - m.amount
    from (select account, sum(amount) as amount from accepted group by account) m
   where a.id = m.account
)
select id, balance from accepted`;

export interface Transfer {
  readonly id: string;
  readonly account: string;
  readonly amount: number;
}

interface WaitingTransfer {
  readonly transfer: Transfer;
  readonly resolve: (balance: number) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Balances in a table, as one would write them without a log: all transfers that wait go in one
 * statement, which checks the funds, moves the balances and keeps a row of each.
 */
export class SqlTransfers {
  #waiting: WaitingTransfer[] = [];
  #free: number;

  private constructor(
    private readonly pool: pg.Pool,
    connections: number,
  ) {
    this.#free = connections;
  }

  static async open(
    pool: pg.Pool,
    accounts: readonly string[],
    connections: number,
  ): Promise<SqlTransfers> {
    await pool.query(TABLES);
    const insert = 'insert into sql_account select id, $2 from unnest($1::uuid[]) as id';
    await pool.query(insert, [accounts, CREDITS]);
    return new SqlTransfers(pool, connections);
  }

  /** Resolves to the balance after it, once it is durable. Fails without funds. */
  transfer(transfer: Transfer): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ transfer, resolve, reject });
      if (this.#waiting.length === 1) setImmediate(() => this.#send());
    });
  }

  #send(): void {
    if (this.#free === 0 || this.#waiting.length === 0) return;
    const batch = this.#waiting.splice(0, BATCH_MAX);
    this.#free -= 1;
    void this.#write(batch)
      .catch((error: unknown) => batch.forEach(({ reject }) => reject(error)))
      .finally(() => {
        this.#free += 1;
        this.#send();
      });
    this.#send();
  }

  async #write(batch: readonly WaitingTransfer[]): Promise<void> {
    const transfers = batch.map(({ transfer }) => transfer);
    const { rows } = await this.pool.query<{ id: string; balance: number }>({
      name: 'sql-transfers',
      text: TRANSFER,
      values: [
        uuidArray(transfers.map(({ id }) => id)),
        uuidArray(transfers.map(({ account }) => account)),
        int8Array(transfers.map(({ amount }) => amount)),
      ],
    });
    const balances = new Map(rows.map(({ id, balance }) => [id, Number(balance)]));
    for (const { transfer, resolve, reject } of batch) {
      const balance = balances.get(transfer.id);
      if (balance === undefined) reject(new Error(`There are no funds for ${transfer.id}.`));
      else resolve(balance);
    }
  }
}

/** A planned call as a transfer of what a repeated call costs. */
export function transferOf({ callId, accountId }: ChargeRequest): Transfer {
  return { id: callId, account: accountId, amount: 10 };
}
