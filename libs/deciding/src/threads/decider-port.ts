import type { Decider } from '../submission.js';
import { sentAnswer, sentFailure, type SentAnswer } from './answer-text.js';
import { Outbox, type Post } from './outbox.js';
import { receivedSubmission, type SentSubmission } from './submission-text.js';

/** The answering side between two threads. */
export class DeciderPort {
  private readonly answers: Outbox<SentAnswer>;
  private lastId = 0;

  /** `post`: sends the text of a batch of answers. */
  constructor(
    private readonly decider: Decider,
    post: Post,
  ) {
    this.answers = new Outbox(post);
  }

  /** Takes the text of a batch of submissions. They are in order; copies are left. */
  receive(text: string): void {
    for (const sent of JSON.parse(text) as SentSubmission[]) {
      const [id] = sent;
      if (id <= this.lastId) continue;
      this.lastId = id;
      this.decider.submit(receivedSubmission(sent)).then(
        (answer) => this.answers.push(sentAnswer(id, answer)),
        (error: unknown) => this.answers.push(sentFailure(id, error)),
      );
    }
  }

  /** Sends at once what waits. */
  flush(): void {
    this.answers.flush();
  }
}
