import type { CallView } from '#projections/views/account-reads.js';

type MadeCall = Pick<CallView, 'at' | 'key' | 'kind' | 'credits_used'>;

/** Calls of one period in their order, as a limit would have decided them. */
export class TriedLimit {
  calls = 0;
  creditsUsed = 0;
  refusedCalls = 0;
  refusedCredits = 0;
  firstRefusedAt: string | null = null;
  private spent = 0;
  /** Prices of keys whose first call was refused: their next call is the first one. */
  private readonly unopened = new Map<string, number>();

  constructor(private readonly limit: number) {}

  add({ at, key, kind, credits_used: charged }: MadeCall): void {
    this.calls += 1;
    this.creditsUsed += charged;
    const cost = kind === 'base' ? charged : (this.unopened.get(key) ?? charged);
    if (this.spent + cost <= this.limit) {
      this.spent += cost;
      this.unopened.delete(key);
      return;
    }
    if (kind === 'base') this.unopened.set(key, cost);
    this.refusedCalls += 1;
    this.refusedCredits += charged;
    this.firstRefusedAt ??= at;
  }
}
