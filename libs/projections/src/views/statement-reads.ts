import type { Statement } from '#invoice-rules/statement.js';

/** A statement of a month; before its close as far as it has come, without its head. */
export type StatementView =
  | (Statement & { readonly final: true })
  | (Omit<Statement, 'account_head'> & { readonly final: false });

/** Customers' statements: one implementation for API, admin and portal. Always current. */
export interface StatementReads {
  /**
   * The statement of a month `2026-10`. Undefined: there is no such account, or the month ended
   * before it was opened, or has not begun.
   */
  statement(accountId: string, month: string): Promise<StatementView | undefined>;
}
