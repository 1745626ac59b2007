import { AccountingUnavailableError, OutcomeUnknownError } from '#account/charging.js';
import type { Channel } from '#workers/channel.js';
import type { Answer, Decider, Submission } from '../submission.js';
import { receivedAnswer, sentAnswer, sentFailure, type SentAnswer } from './answer-text.js';
import { receivedSubmission, sentSubmission, type SentSubmission } from './submission-text.js';

/** A thread that has not answered so long after a caller has gone is blocked. */
const BLOCKED_MS = 2_000;

/**
 * The asking side between two threads. Every submission is answered once: by the decider, or as of
 * unknown fate once the decider is gone.
 */
export class DeciderLink implements Decider {
  private isOver = false;

  constructor(private readonly channel: Channel) {}

  /** Throws what the decider throws; OutcomeUnknownError also where it went away. */
  async submit(submission: Submission): Promise<Answer> {
    if (this.isOver) {
      throw new AccountingUnavailableError('The decider of the account is being replaced.');
    }
    const { callId, notAfter } = submission;
    let sent: SentAnswer;
    try {
      sent = await this.channel.ask('submit', sentSubmission(submission), notAfter + BLOCKED_MS);
    } catch {
      // What it has appended stands in the log, where the service finds it.
      throw new OutcomeUnknownError(callId);
    }
    const answer = receivedAnswer(sent);
    if (answer instanceof Error) throw answer;
    return answer;
  }

  /** Answers those whose callers wait no longer, where the decider does not. */
  giveUpLate(now: number): void {
    this.channel.giveUpLate(now);
  }

  /** Takes nothing new; what was submitted is sent. */
  close(): void {
    this.isOver = true;
  }

  /** The decider is gone. */
  end(): void {
    this.isOver = true;
    this.channel.end();
  }
}

/** How a decider answers what it is asked over a link. */
export function answerSubmission(decider: Decider) {
  return (sent: SentSubmission): Promise<SentAnswer> =>
    decider.submit(receivedSubmission(sent)).then(sentAnswer, sentFailure);
}
