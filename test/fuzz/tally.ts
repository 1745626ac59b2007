import type { RawAnswer } from './answer-reader.js';
import type { ExchangePlan } from './exchange-plan.js';
import { Operator } from './operator.js';
import type { Persona, Scene } from './scene.js';

const CHANGE = /^\/admin\/v1\/accounts\/([0-9a-f-]{36})\/(?:grants|adjustments)(?:\?|$)/i;

/** Keeps what answers said was charged and given, and compares it with the log at the end. */
export class Tally {
  /** Credits of each call that was answered. */
  readonly #calls = new Map<string, number>();
  readonly #given = new Map<string, number>();
  readonly #requestIds = new Set<string>();
  #credits = 0;

  constructor(
    private readonly scene: Scene,
    private readonly operator: Operator,
  ) {}

  get calls(): number {
    return this.#calls.size;
  }

  get credits(): number {
    return this.#credits;
  }

  /** Takes an exchange down; what it says that contradicts an answer before is a fault. */
  note(plan: ExchangePlan, answers: readonly RawAnswer[]): string[] {
    return answers.flatMap((answer, index) => {
      const asked = plan.asked[index];
      if (answer.status === 201 && plan.port === 'accounting' && asked) {
        this.#noteGiven(asked.target, answer);
      }
      return [...this.#noteRequest(answer), ...this.#noteCall(answer)];
    });
  }

  #noteRequest({ headers }: RawAnswer): string[] {
    const id = headers['request-id'] ?? '';
    if (this.#requestIds.has(id)) return [`the Request-Id ${id} was there before`];
    this.#requestIds.add(id);
    return [];
  }

  #noteCall({ headers }: RawAnswer): string[] {
    const callId = headers['call-id'];
    const used = headers['credits-used'];
    // A free quote (HEAD) names the call that its idempotency key stands for, too.
    if (callId === undefined || used === undefined) return [];
    const credits = Number(used);
    const known = this.#calls.get(callId);
    const isReplay = headers['idempotent-replayed'] === 'true';
    if (known === undefined) {
      this.#calls.set(callId, credits);
      this.#credits += credits;
      return [];
    }
    if (known !== credits) return [`call ${callId} costs ${known} and ${credits}`];
    return isReplay ? [] : [`call ${callId} was answered twice`];
  }

  #noteGiven(target: string, { headers, body }: RawAnswer): void {
    const accountId = CHANGE.exec(target.replace(/^https?:\/\/[^/]*/i, ''))?.[1]?.toLowerCase();
    if (accountId === undefined || headers['idempotent-replayed'] === 'true') return;
    const { credits } = JSON.parse(body.toString()) as { readonly credits: number };
    this.#given.set(accountId, (this.#given.get(accountId) ?? 0) + credits);
  }

  /** Every way in which the log is not what the answers were. */
  async differences(): Promise<string[]> {
    const { personas, hasty, hidden, accounts } = this.scene;
    const faults: string[] = [];
    for (const persona of personas) faults.push(...(await this.#compare(persona, true)));
    faults.push(...(await this.#compare(hasty, false)));
    faults.push(...(await this.#compare(hidden, true)));
    const { status } = await this.operator.read(`/accounts/${hidden.accountId}`);
    if (status !== 'active') faults.push('a request inside of a body was carried out');
    for (const accountId of accounts) faults.push(...(await this.#compareGiven(accountId)));
    return faults;
  }

  /** `exact`: every call of the log has been answered, too. */
  async #compare({ name, accountId }: Persona, exact: boolean): Promise<string[]> {
    const faults: string[] = [];
    let logged = 0;
    for (const call of await this.operator.all(`/accounts/${accountId}/calls`)) {
      const callId = String(call['call_id']);
      const answered = this.#calls.get(callId);
      logged += Number(call['credits_used']);
      if (answered === undefined) {
        const what = `${callId} of ${String(call['key'])}`;
        if (exact) faults.push(`${name}: call ${what} was charged and not answered`);
      } else if (answered !== call['credits_used']) {
        faults.push(`${name}: call ${callId}: ${answered} was answered, not what it cost`);
      }
      this.#calls.delete(callId);
    }
    const account = await this.operator.read(`/accounts/${accountId}`);
    const granted = await this.#granted(accountId);
    if (Number(account['balance']) !== granted - logged) {
      faults.push(`${name}: ${String(account['balance'])} is left of ${granted} after ${logged}`);
    }
    return faults;
  }

  async #granted(accountId: string): Promise<number> {
    const grants = await this.operator.all(`/accounts/${accountId}/grants`);
    return grants.reduce((sum, grant) => sum + Number(grant['credits']), 0);
  }

  async #compareGiven(accountId: string): Promise<string[]> {
    const { balance } = await this.operator.read(`/accounts/${accountId}`);
    const given = this.#given.get(accountId) ?? 0;
    return balance === given ? [] : [`${accountId} holds ${String(balance)}, was given ${given}`];
  }

  /** Calls that were answered and stand in no log; asked after the comparison. */
  get unlogged(): readonly string[] {
    return [...this.#calls.keys()];
  }
}
