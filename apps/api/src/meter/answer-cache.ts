import type { Release, Releases } from '#popularity/releases.js';
import type { Resource } from '#rating/resource.js';
import { answerName } from '#rest/metered-paths/locate.js';
import { type Problem, problem } from '#web/problem.js';
import { FinishedAnswer } from './finished-answer.js';

/** Memory for finished answers, in bytes. */
export const CACHE_BYTES_MAX = 256 * 1024 * 1024;

export type FoundAnswer =
  | { readonly outcome: 'found'; readonly answer: FinishedAnswer }
  | { readonly outcome: 'refused'; readonly problem: Problem };

/**
 * Finished answers by key and release, which never change. Bounded by bytes: answers that nobody
 * has asked for since the last look go first. Concurrent questions for one answer are asked once.
 */
export class AnswerCache {
  readonly #answers = new Map<string, FinishedAnswer>();
  readonly #pending = new Map<string, Promise<FoundAnswer>>();
  #bytes = 0;

  constructor(
    private readonly releases: Pick<Releases, 'answer'>,
    private readonly bytesMax = CACHE_BYTES_MAX,
  ) {}

  get bytes(): number {
    return this.#bytes;
  }

  /** The answer if it is kept, by its `answerName`. */
  kept(name: string): FinishedAnswer | undefined {
    const answer = this.#answers.get(name);
    if (answer !== undefined) answer.isRecent = true;
    return answer;
  }

  /** The answer, made if it is not kept. Throws when the data is out of reach. */
  async find(key: string, release: Release, resource: Resource): Promise<FoundAnswer> {
    const name = answerName(key, release);
    const kept = this.kept(name);
    if (kept) return { outcome: 'found', answer: kept };
    const running = this.#pending.get(name);
    if (running) return running;
    const making = this.#make(name, key, release, resource);
    this.#pending.set(name, making);
    try {
      return await making;
    } finally {
      this.#pending.delete(name);
    }
  }

  async #make(
    name: string,
    key: string,
    release: Release,
    resource: Resource,
  ): Promise<FoundAnswer> {
    const outcome = await this.releases.answer(release, resource);
    if (outcome.outcome !== 'found') {
      return { outcome: 'refused', problem: problem(outcome.outcome, outcome.detail) };
    }
    const answer = new FinishedAnswer(key, release, outcome.answer, (bytes) => {
      // One that was dropped in the meantime lives on only until it is sent.
      if (this.#answers.get(name) === answer) this.#grow(bytes);
    });
    this.#answers.set(name, answer);
    this.#grow(answer.bytes);
    return { outcome: 'found', answer };
  }

  /** Releases were taken back: an answer of the same name may be another one now. */
  clear(): void {
    this.#answers.clear();
    this.#pending.clear();
    this.#bytes = 0;
  }

  #grow(bytes: number): void {
    this.#bytes += bytes;
    for (const [name, answer] of this.#answers) {
      if (this.#bytes <= this.bytesMax) return;
      this.#answers.delete(name);
      if (answer.isRecent) this.#answers.set(name, answer);
      else this.#bytes -= answer.bytes;
      answer.isRecent = false;
    }
  }
}
