import type {
  ChargedCall,
  ChargeOutcome,
  ChargeRequest,
  Charging,
  QuoteOutcome,
  QuoteRequest,
} from '#account/charging.js';

/** Decided calls by id, which several processes have in common. */
export type DecidedCalls = Map<string, ChargedCall>;

const COST = 35;

/**
 * Charges 35 credits for each call id once, and finds the first decision again: what a real
 * accounting does with its log, over a map. Decisions can be held back, and made to fail.
 */
export class DecidingCharging implements Charging {
  readonly asked: ChargeRequest[] = [];
  quoted = 0;
  /** Thrown or answered in place of a decision. */
  before: (request: ChargeRequest) => ChargeOutcome | undefined = () => undefined;
  /** Thrown in place of a quote. */
  quoteError: Error | undefined;
  private gate: Promise<void> = Promise.resolve();
  private held: string | undefined;
  private openGate: () => void = () => undefined;

  constructor(readonly decided: DecidedCalls = new Map()) {}

  /** Decides nothing, or only not this call, before `release`. */
  hold(callId?: string): void {
    this.held = callId;
    this.gate = new Promise((resolve) => (this.openGate = resolve));
  }

  release(): void {
    this.openGate();
  }

  async charge(request: ChargeRequest): Promise<ChargeOutcome> {
    this.asked.push(request);
    if (this.held === undefined || this.held === request.callId) await this.gate;
    const instead = this.before(request);
    if (instead !== undefined) return instead;
    const first = this.decided.get(request.callId);
    if (first !== undefined) return { outcome: 'charged', charged: first, replayed: true };
    const charged = this.decide(request);
    this.decided.set(request.callId, charged);
    return { outcome: 'charged', charged, replayed: false };
  }

  async quote(request: QuoteRequest): Promise<QuoteOutcome> {
    this.quoted += 1;
    await this.gate;
    if (this.quoteError !== undefined) throw this.quoteError;
    const items = request.items.map(() => ({
      kind: 'base' as const,
      cost: [10, COST - 10] as const,
      card: 1,
      rule: 'top 5',
      nextWindowCredits: COST,
      refusal: null,
    }));
    return { outcome: 'quoted', items, balance: 1000 - COST * this.decided.size };
  }

  private decide(request: ChargeRequest): ChargedCall {
    const balance = 1000 - COST * (this.decided.size + 1);
    const { callId, key, asked, window, release, apiKey, rows } = request;
    return {
      callId,
      at: Date.now(),
      balance,
      call: {
        key,
        asked,
        window,
        release,
        api_key: apiKey,
        rows,
        kind: 'base',
        cost: [10, COST - 10],
        card: 1,
        rule: 'top 5',
        draws: [[1, COST]],
        balance,
      },
    };
  }
}
