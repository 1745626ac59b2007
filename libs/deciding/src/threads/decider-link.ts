import { AccountingUnavailableError, OutcomeUnknownError } from '#account/charging.js';
import type { Answer, Decider, Submission } from '../submission.js';
import { receivedAnswer, type SentAnswer } from './answer-text.js';
import { Outbox, type Post } from './outbox.js';
import { sentSubmission, type SentSubmission } from './submission-text.js';

interface Open {
  readonly submission: Submission;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

/** A thread that has not answered so long after a caller has gone is blocked. */
const BLOCKED_MS = 2_000;

/**
 * The asking side between two threads. Every submission is answered once: by the decider, or as of
 * unknown fate once the decider is gone. What comes twice, or too late, is passed over.
 */
export class DeciderLink implements Decider {
  private readonly open = new Map<number, Open>();
  private readonly outbox: Outbox<SentSubmission>;
  private lastId = 0;
  private isOver = false;

  /** `post`: sends the text of a batch to the decider. */
  constructor(post: Post) {
    this.outbox = new Outbox(post);
  }

  /** Throws what the decider throws; OutcomeUnknownError also where it went away. */
  submit(submission: Submission): Promise<Answer> {
    if (this.isOver) {
      const detail = 'The decider of the account is being replaced.';
      return Promise.reject(new AccountingUnavailableError(detail));
    }
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      this.open.set(id, { submission, resolve, reject });
      this.outbox.push(sentSubmission(id, submission));
    });
  }

  /** Takes the text of a batch of answers. */
  receive(text: string): void {
    for (const sent of JSON.parse(text) as SentAnswer[]) {
      const asked = this.open.get(sent[0]);
      if (asked === undefined) continue;
      this.open.delete(sent[0]);
      const answer = receivedAnswer(sent);
      if (answer instanceof Error) asked.reject(answer);
      else asked.resolve(answer);
    }
  }

  /** Answers those whose callers wait no longer, where the decider does not. */
  giveUpLate(now: number): void {
    for (const [id, { submission, reject }] of this.open) {
      if (now <= submission.notAfter + BLOCKED_MS) continue;
      this.open.delete(id);
      reject(new OutcomeUnknownError(submission.callId));
    }
  }

  /** Takes nothing new; what was submitted is sent. */
  close(): void {
    this.isOver = true;
    this.outbox.flush();
  }

  /** The decider is gone. What it has appended stands in the log, where the service finds it. */
  end(): void {
    this.isOver = true;
    const lost = [...this.open.values()];
    this.open.clear();
    for (const { submission, reject } of lost) reject(new OutcomeUnknownError(submission.callId));
  }
}
