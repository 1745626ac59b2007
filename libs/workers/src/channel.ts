import { errorOf, plainError, type PlainError } from './plain-error.js';

/** The messages that Node passes between a worker and the process or thread that started it. */
export interface MessagePort {
  send(message: object): unknown;
  on(event: 'message', listener: (message: unknown) => void): unknown;
}

/** How one side answers, by the name of the question. Questions and answers are plain data. */
export type Answers = Readonly<Record<string, (body: never) => unknown>>;

type Message =
  | { readonly popindex: 'ask'; readonly id: number; readonly name: string; readonly body: unknown }
  | { readonly popindex: 'answer'; readonly id: number; readonly body: unknown }
  | { readonly popindex: 'fault'; readonly id: number; readonly error: PlainError };

interface Waiting {
  readonly resolve: (body: never) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * One side of the channel between a worker and who started it: questions, each with one answer.
 * Each side answers by itself that it is `alive`.
 */
export class Channel {
  private readonly waiting = new Map<number, Waiting>();
  private readonly answers: Answers;
  private lastId = 0;
  private ended = false;
  /** How many messages the other side has sent so far. */
  heard = 0;

  constructor(
    private readonly port: MessagePort,
    answers: Answers,
  ) {
    this.answers = { alive: () => null, ...answers };
    port.on('message', (message) => this.receive(message));
  }

  /** Rejects if the other side fails to answer, or ends before it has. */
  ask<Answer>(name: string, body: unknown = null): Promise<Answer> {
    if (this.ended) return Promise.reject(new Error('The other side has ended.'));
    const id = ++this.lastId;
    return new Promise<Answer>((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.send({ popindex: 'ask', id, name, body });
    });
  }

  /** Lets the other side know. What it answers nobody waits for. */
  tell(name: string, body: unknown): void {
    this.ask(name, body).catch(() => undefined);
  }

  /** The other side is gone, for this reason: it answers nothing any more. */
  end(reason: unknown = new Error('The other side ended.')): void {
    this.ended = true;
    for (const { reject } of this.waiting.values()) reject(reason);
    this.waiting.clear();
  }

  private receive(received: unknown): void {
    if (typeof received !== 'object' || received === null || !('popindex' in received)) return;
    this.heard += 1;
    const message = received as Message;
    if (message.popindex === 'ask') return void this.answer(message);
    const waiting = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (message.popindex === 'answer') waiting?.resolve(message.body as never);
    else waiting?.reject(errorOf(message.error));
  }

  private async answer({ id, name, body }: Extract<Message, { popindex: 'ask' }>): Promise<void> {
    try {
      const answer = this.answers[name];
      if (answer === undefined) throw new Error(`Nothing answers "${name}".`);
      const found: unknown = await answer(body as never);
      this.send({ popindex: 'answer', id, body: found ?? null });
    } catch (error) {
      this.send({ popindex: 'fault', id, error: plainError(error) });
    }
  }

  /** A channel that closes while a message is on its way ends the process, which says so itself. */
  private send(message: Message): void {
    if (this.ended) return;
    try {
      this.port.send(message);
    } catch {
      this.end();
    }
  }
}
