/** Says before an answer begins whether it can be whole. */
export interface CallsAtHand {
  /**
   * Throws ArchivedCallsError unless all calls between two moments (the second exclusive, ms since
   * 1970) are in the log or in files at hand. `accountId` null: calls of all accounts.
   */
  requireCalls(accountId: string | null, from: number, to: number): Promise<void>;
}
