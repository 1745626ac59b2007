import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';

/** Bytes that a body which is read piece by piece brings at least in a millisecond: 1 Mbit/s. */
const RATE_MIN = 125;

const streamed = new WeakSet<Readable>();

/**
 * Calls `refuse` where the body of a request has not arrived whole after so many ms. One that is
 * read piece by piece may go on for as long as it comes fast enough, or waits for the service.
 */
export function limitArrival(
  request: IncomingMessage,
  response: ServerResponse,
  limitMs: number,
  refuse: () => void,
): void {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  if (length === undefined && coding === undefined) return;
  const { socket } = request;
  let before = socket.bytesRead;
  const timer = setTimeout(() => {
    if (request.complete || request.destroyed) return;
    const came = socket.bytesRead - before;
    before = socket.bytesRead;
    const isRead = streamed.has(request) && !response.writableEnded;
    const goesOn = request.readableLength > 0 || came >= limitMs * RATE_MIN;
    if (isRead && goesOn) timer.refresh();
    else refuse();
  }, limitMs).unref();
  request.once('close', () => clearTimeout(timer));
}

/** Lets a body arrive for as long as it comes fast enough: its sender is known by now. */
export function letArrive(body: Readable): void {
  streamed.add(body);
}
