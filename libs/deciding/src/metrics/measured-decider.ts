import type { CallMade } from '#account/calls.js';
import type { CallKind } from '#account/terms.js';
import type { Count } from '#service/metrics/count.js';
import type { Metrics } from '#service/metrics/metrics.js';
import { DecisionWatch } from '../decision-watch.js';
import type { Answer, Decider, Submission } from '../submission.js';

type ChargedCounts = Readonly<Record<CallKind, { readonly calls: Count; readonly credits: Count }>>;

/** Counts what calls are charged and what they are refused for. */
export class MeasuredDecider implements Decider {
  private readonly live: ChargedCounts;
  private readonly test: ChargedCounts;
  private readonly refusals;
  readonly watch = new DecisionWatch();

  constructor(
    private readonly decider: Decider,
    metrics: Metrics,
  ) {
    const calls = metrics.counts(
      'popindex_charges_total',
      'Calls that were charged, by kind; answers given again are not counted.',
    );
    const credits = metrics.counts('popindex_charged_credits_total', 'Credits of these calls.');
    this.refusals = metrics.counts(
      'popindex_refusals_total',
      'Calls that were not charged, by what the account refused them for.',
    );
    const of = (kind: CallKind, test: string) => ({
      calls: calls.with({ kind, test }),
      credits: credits.with({ kind, test }),
    });
    const ofKinds = (test: string) => ({
      base: of('base', test),
      repeat: of('repeat', test),
      each: of('each', test),
    });
    this.live = ofKinds('false');
    this.test = ofKinds('true');
  }

  submit(submission: Submission): Promise<Answer> {
    this.watch.begin();
    const answering = this.decider.submit(submission);
    const isCall = submission.command.command === 'make-call';
    void answering.then(isCall ? this.count : this.pass, this.fail);
    return answering;
  }

  private readonly pass = (answer: Answer): void => this.watch.answered(answer);

  private readonly fail = (error: unknown): void => this.watch.failed(error);

  private readonly count = (answer: Answer): void => {
    this.watch.answered(answer);
    if (answer.refusal !== null) {
      const { refusal, test = false } = answer;
      this.refusals.with({ reason: refusal.reason, test: String(test) }).value += 1;
    } else if (!answer.replayed && answer.event?.type === 'CallMade') {
      this.countCharge(answer.state.test ? this.test : this.live, answer.event.data);
    }
  };

  private countCharge(charged: ChargedCounts, { kind, cost }: CallMade): void {
    const { calls, credits } = charged[kind];
    calls.value += 1;
    credits.value += cost[0] + cost[1];
  }
}
