import { parentPort, Worker } from 'node:worker_threads';
import { Channel, type Answers, type MessagePort } from './channel.js';
import type { Started } from './replaced-worker.js';

export interface ThreadOptions {
  /** The program that the thread runs. */
  readonly program: URL;
  /** All that the program knows when it starts. */
  readonly data?: unknown;
  /** Where much garbage dies young, the space for it has to be large enough. */
  readonly youngGenerationMb?: number;
  /** Whether messages are passed as JSON: cheaper where they are many and small. */
  readonly asText?: boolean;
  /** How this side answers the thread. */
  readonly answers?: Answers;
}

/** A thread, and the channel to it. */
export class Thread implements Started {
  readonly worker: Worker;
  readonly channel: Channel;
  private readonly listeners: ((reason: unknown, code: number) => void)[] = [];

  constructor({ program, data, youngGenerationMb, asText = false, answers = {} }: ThreadOptions) {
    const resourceLimits =
      youngGenerationMb === undefined ? {} : { maxYoungGenerationSizeMb: youngGenerationMb };
    const worker = new Worker(program, { workerData: data, resourceLimits });
    const channel = new Channel(portTo(worker, asText), answers);
    let thrown: unknown;
    worker.on('error', (error) => (thrown = error));
    worker.on('exit', (code) => {
      const reason = thrown ?? new Error(`The thread ended with ${code}.`);
      channel.end(reason);
      for (const listener of this.listeners) listener(reason, code);
    });
    this.worker = worker;
    this.channel = channel;
  }

  /** Called once with what the program threw, or with its exit code. */
  onEnded(listener: (reason: unknown, code: number) => void): void {
    this.listeners.push(listener);
  }

  kill(): void {
    void this.worker.terminate();
  }

  /** Resolves when the program has done its work; a signal ends it. Throws what it threw. */
  async done(signal?: AbortSignal): Promise<void> {
    const end = (): void => this.kill();
    signal?.addEventListener('abort', end);
    try {
      await new Promise<void>((resolve, reject) => {
        this.onEnded((reason, code) => {
          if (signal?.aborted === true) reject(signal.reason as Error);
          else if (code === 0) resolve();
          else reject(reason);
        });
      });
    } finally {
      signal?.removeEventListener('abort', end);
    }
  }
}

/** In a thread: the channel to the one that started it. `asText`: as that one says. */
export function channelToStarter(answers: Answers = {}, asText = false): Channel {
  if (parentPort === null) throw new Error('This program runs in a thread.');
  return new Channel(portTo(parentPort, asText), answers);
}

/** In a thread: ends it, once what is being said was sent. */
export function endThread(): void {
  setImmediate(() => setImmediate(() => parentPort?.close()));
}

function portTo(
  thread: Pick<Worker, 'on' | 'postMessage'> | NonNullable<typeof parentPort>,
  asText: boolean,
): MessagePort {
  if (!asText) {
    return {
      send: (messages) => thread.postMessage(messages),
      onMessages: (listener) => thread.on('message', listener),
    };
  }
  return {
    send: (messages) => thread.postMessage(JSON.stringify(messages)),
    onMessages: (listener) => thread.on('message', (text: string) => listener(JSON.parse(text))),
  };
}
