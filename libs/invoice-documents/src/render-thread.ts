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

parentPort?.on('message', (inputs: readonly RenderInput[]) => {
  parentPort?.postMessage(answerTo(inputs));
});
