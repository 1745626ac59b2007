import { Thread } from '#workers/thread.js';
import type { RenderedDocuments, RenderInput } from './render-documents.js';

export interface RenderThreadsOptions {
  /** At most so many threads; each takes some 130 MB under load. */
  readonly count: number;
  /** The program of a thread, the built one by default. */
  readonly program?: URL;
}

interface Task {
  readonly inputs: readonly RenderInput[];
  readonly resolve: (rendered: readonly RenderedDocuments[]) => void;
  readonly reject: (error: unknown) => void;
}

const PROGRAM = new URL('./render-thread.js', import.meta.url);

/**
 * Renders documents beside the thread that serves. A thread starts when there is work for it, works
 * on one list at a time, and keeps no process alive. One that dies fails its list only.
 */
export class RenderThreads {
  readonly #options: RenderThreadsOptions;
  readonly #waiting: Task[] = [];
  readonly #threads = new Set<Thread>();
  readonly #idle = new Set<Thread>();
  #stopped = false;

  constructor(options: RenderThreadsOptions) {
    this.#options = options;
  }

  /** The bytes of documents in their order. Rejects for what `renderDocuments` throws for. */
  render(inputs: readonly RenderInput[]): Promise<readonly RenderedDocuments[]> {
    return new Promise((resolve, reject) => {
      if (this.#stopped) throw new Error('The threads for documents were stopped.');
      this.#waiting.push({ inputs, resolve, reject });
      this.#handOut();
    });
  }

  /** Ends all threads; what is not done is rejected. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const { reject } of this.#waiting.splice(0)) {
      reject(new Error('The threads for documents were stopped.'));
    }
    await Promise.all(Array.from(this.#threads, ({ worker }) => worker.terminate()));
  }

  #handOut(): void {
    while (!this.#stopped && this.#waiting.length > 0) {
      const [thread = this.#started()] = this.#idle;
      const task = thread && this.#waiting.shift();
      if (thread === undefined || task === undefined) return;
      this.#idle.delete(thread);
      void this.#work(thread, task);
    }
  }

  #started(): Thread | undefined {
    const { count, program = PROGRAM } = this.#options;
    if (this.#threads.size >= count) return undefined;
    const thread = new Thread({ program });
    this.#threads.add(thread);
    thread.onEnded(() => {
      this.#threads.delete(thread);
      this.#idle.delete(thread);
    });
    return thread;
  }

  async #work(thread: Thread, { inputs, resolve, reject }: Task): Promise<void> {
    thread.worker.ref();
    await thread.channel.ask<readonly RenderedDocuments[]>('render', inputs).then(resolve, reject);
    thread.worker.unref();
    if (this.#threads.has(thread)) this.#idle.add(thread);
    this.#handOut();
  }
}
