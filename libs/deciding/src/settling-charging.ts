import {
  type ChargeOutcome,
  type ChargeRequest,
  type Charging,
  OutcomeUnknownError,
  type QuoteOutcome,
  type QuoteRequest,
} from '#account/charging.js';
import type { Settlement } from './settlement.js';

/**
 * The port `Charging` where the API shares the process. Where it does not, the API hands over what
 * it gave up on: only there is it known whether another accounting process has answered.
 */
export class SettlingCharging implements Charging {
  constructor(
    private readonly charging: Charging,
    private readonly settlement: Pick<Settlement, 'kept'>,
  ) {}

  async charge(request: ChargeRequest): Promise<ChargeOutcome> {
    try {
      return await this.charging.charge(request);
    } catch (error) {
      const { accountId, callId, requestId } = request;
      if (error instanceof OutcomeUnknownError) {
        await this.settlement.kept({ accountId, callId, requestId });
      }
      throw error;
    }
  }

  quote(request: QuoteRequest): Promise<QuoteOutcome> {
    return this.charging.quote(request);
  }
}
