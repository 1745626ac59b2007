import type { StatementReads, StatementView } from '#ledger/views/statement-reads.js';
import type { MemoryAccounts } from './memory-accounts.js';

/** The month of an account in which nothing happened: others are tested where they are read. */
export class MemoryStatements implements StatementReads {
  constructor(private readonly accounts: MemoryAccounts) {}

  async statement(accountId: string, month: string): Promise<StatementView | undefined> {
    if (!this.accounts.accounts.has(accountId) || month < '2026-11') return undefined;
    return {
      type: 'statement',
      account_id: accountId,
      month,
      period: { from: `${month}-01`, to: `${month}-30` },
      time_zone: 'UTC',
      opening_balance: 7,
      grants: [],
      adjustments: [],
      charges: [],
      expiries: [],
      voids: [],
      billed_credits: 0,
      closing_balance: 7,
      account_version: { from: 4, to: 3 },
      opening_head: '0'.repeat(64),
      final: false,
    };
  }
}
