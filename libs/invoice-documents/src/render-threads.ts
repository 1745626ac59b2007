import { Worker } from 'node:worker_threads';
import type { RenderedDocuments, RenderInput } from './render-documents.js';

/** A thread's answer to a list of documents. */
export type RenderAnswer =
  { readonly rendered: readonly RenderedDocuments[] } | { readonly failed: unknown };

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
  readonly #idle: Worker[] = [];
  readonly #busy = new Map<Worker, Task>();
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
    const workers = [...this.#idle, ...this.#busy.keys()];
    for (const { reject } of this.#waiting.splice(0)) {
      reject(new Error('The threads for documents were stopped.'));
    }
    await Promise.all(workers.map((worker) => worker.terminate()));
  }

  #handOut(): void {
    while (this.#waiting.length > 0) {
      const worker = this.#idle.pop() ?? this.#started();
      const task = worker && this.#waiting.shift();
      if (worker === undefined || task === undefined) return;
      this.#busy.set(worker, task);
      worker.ref();
      worker.postMessage(task.inputs);
    }
  }

  #started(): Worker | undefined {
    const { count, program = PROGRAM } = this.#options;
    if (this.#busy.size >= count) return undefined;
    const worker = new Worker(program);
    worker.on('message', (answer: RenderAnswer) => this.#answered(worker, answer));
    worker.on('error', (error) => this.#lost(worker, error));
    worker.on('exit', (code) => this.#lost(worker, new Error(`A thread ended with ${code}.`)));
    return worker;
  }

  #answered(worker: Worker, answer: RenderAnswer): void {
    const task = this.#busy.get(worker);
    this.#busy.delete(worker);
    worker.unref();
    this.#idle.push(worker);
    if ('rendered' in answer) task?.resolve(answer.rendered);
    else task?.reject(answer.failed);
    this.#handOut();
  }

  #lost(worker: Worker, error: unknown): void {
    const task = this.#busy.get(worker);
    this.#busy.delete(worker);
    const place = this.#idle.indexOf(worker);
    if (place !== -1) this.#idle.splice(place, 1);
    task?.reject(error);
    if (!this.#stopped) this.#handOut();
  }
}
