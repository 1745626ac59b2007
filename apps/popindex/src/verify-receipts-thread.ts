import { workerData } from 'node:worker_threads';
import { channelToStarter, endThread } from '#workers/thread.js';
import { verifyPart, type Part } from './verify-receipts-part.js';

// The program of a thread: a part of a file in, its report out. What it throws ends it.

const starter = channelToStarter();
await starter.ask('report', await verifyPart(workerData as Part));
endThread();
