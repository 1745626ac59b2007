import { getPriority, setPriority } from 'node:os';
import { channelToStarter } from '#workers/thread.js';
import { renderDocuments, type RenderInput } from './render-documents.js';

// The program of a thread: a list of documents in, their bytes or what went wrong out.

/** Added to the niceness: customers' calls come first where processors are busy. */
const NICER = 10;
const NICENESS_MAX = 19;

// Linux has a priority for each thread, and takes 0 for the one that asks; elsewhere it would be
// that of all threads of the process.
if (process.platform === 'linux') setPriority(Math.min(getPriority() + NICER, NICENESS_MAX));

channelToStarter({ render: (inputs: readonly RenderInput[]) => inputs.map(renderDocuments) });
