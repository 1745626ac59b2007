import { getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { renderDocuments, type RenderInput } from './render-documents.js';
import type { RenderAnswer } from './render-threads.js';

// The program of a thread: a list of documents in, their bytes or what went wrong out.

function answerTo(inputs: readonly RenderInput[]): RenderAnswer {
  try {
    return { rendered: inputs.map(renderDocuments) };
  } catch (error) {
    return { failed: error };
  }
}

/** Added to the niceness: customers' calls come first where processors are busy. */
const NICER = 10;
const NICENESS_MAX = 19;

// Linux has a priority for each thread, and takes 0 for the one that asks; elsewhere it would be
// that of all threads of the process.
if (process.platform === 'linux') setPriority(Math.min(getPriority() + NICER, NICENESS_MAX));

parentPort?.on('message', (inputs: readonly RenderInput[]) => {
  parentPort?.postMessage(answerTo(inputs));
});
