import { parentPort, workerData } from 'node:worker_threads';
import { verifyPart, type Part } from './verify-receipts-part.js';

// The program of a thread: a part of a file in, its report out. What it throws ends it.

parentPort?.postMessage(await verifyPart(workerData as Part));
