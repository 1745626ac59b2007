import { errorOf, plainError, type PlainError } from './plain-error.js';

/** A question, or the answer to one. Names of members would make most of a batch. */
export type Message =
  | readonly [kind: 'ask', id: number, name: string, body: unknown]
  | readonly [kind: 'answer', id: number, body: unknown]
  | readonly [kind: 'fault', id: number, error: PlainError];

/** The messages that Node passes between a worker and who started it. */
export interface MessagePort {
  send(messages: readonly Message[]): unknown;
  onMessages(listener: (messages: readonly Message[]) => void): unknown;
}

/** How one side answers, by the name of the question. Questions and answers are plain data. */
export type Answers = Readonly<Record<string, (body: never) => unknown>>;

interface Waiting {
  readonly resolve: (body: never) => void;
  readonly reject: (error: unknown) => void;
  readonly notAfter: number;
}

/**
 * One side of the channel between a worker and who started it: questions, each with one answer. All
 * that is said in one turn of the event loop goes in one message. Each side answers by itself that
 * it is `alive`.
 */
export class Channel {
  private readonly waiting = new Map<number, Waiting>();
  private readonly answers: Answers;
  private said: Message[] = [];
  private lastId = 0;
  private lastAsked = 0;
  private ended = false;
  /** How many messages the other side has sent so far. */
  heard = 0;

  constructor(
    private readonly port: MessagePort,
    answers: Answers,
  ) {
    this.answers = { alive: () => null, ...answers };
    port.onMessages((messages) => this.receive(messages));
  }

  /**
   * Rejects if the other side fails to answer, or ends before it has. `notAfter`: the moment after
   * which `giveUpLate` rejects it.
   */
  ask<Answer>(name: string, body: unknown = null, notAfter = Infinity): Promise<Answer> {
    if (this.ended) return Promise.reject(new Error('The other side has ended.'));
    const id = ++this.lastId;
    return new Promise<Answer>((resolve, reject) => {
      this.waiting.set(id, { resolve, reject, notAfter });
      this.say(['ask', id, name, body]);
    });
  }

  /** Lets the other side know. What it answers nobody waits for. */
  notify(name: string, body: unknown): void {
    this.ask(name, body).catch(() => undefined);
  }

  /** Waits no longer for answers that come too late for those who asked. */
  giveUpLate(now: number): void {
    for (const [id, { reject, notAfter }] of this.waiting) {
      if (now <= notAfter) continue;
      this.waiting.delete(id);
      reject(new Error('The other side did not answer in time.'));
    }
  }

  /** The other side is gone, for this reason: it answers nothing any more. */
  end(reason: unknown = new Error('The other side ended.')): void {
    this.ended = true;
    for (const { reject } of this.waiting.values()) reject(reason);
    this.waiting.clear();
  }

  /** Messages come in order. What comes twice, or too late, is passed over. */
  private receive(messages: readonly Message[]): void {
    this.heard += messages.length;
    for (const message of messages) {
      const [kind, id] = message;
      if (kind === 'ask') {
        if (id > this.lastAsked) void this.answer(message);
        continue;
      }
      const waiting = this.waiting.get(id);
      this.waiting.delete(id);
      if (kind === 'answer') waiting?.resolve(message[2] as never);
      else waiting?.reject(errorOf(message[2]));
    }
  }

  private async answer([, id, name, body]: Extract<Message, { 0: 'ask' }>): Promise<void> {
    this.lastAsked = id;
    try {
      const answer = this.answers[name];
      if (answer === undefined) throw new Error(`Nothing answers "${name}".`);
      const found: unknown = await answer(body as never);
      this.say(['answer', id, found ?? null]);
    } catch (error) {
      this.say(['fault', id, plainError(error)]);
    }
  }

  private say(message: Message): void {
    if (this.said.length === 0) setImmediate(() => this.flush());
    this.said.push(message);
  }

  /** A channel that closes while a message is on its way ends the process, which says so itself. */
  private flush(): void {
    const { said } = this;
    this.said = [];
    if (this.ended) return;
    try {
      this.port.send(said);
    } catch {
      this.end();
    }
  }
}
