import type { OutgoingHttpHeaders } from 'node:http';
import { type OnModuleDestroy } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { invalidParameters } from '#web/parameter-fault.js';
import { problem, ProblemException } from '#web/problem.js';
import { negotiate, NO_STORE } from '#web/table-answer.js';
import type { Sending } from '../operation/answer.js';
import type { Session } from '../portal-sessions/portal-session.js';
import { sessionOf } from '../portal-sessions/signed-in.js';
import type { EventFeed } from './event-feed.js';
import { type StreamBegin } from './event-feed.js';
import { EventStream } from './event-stream.js';
import { StreamPlaces } from './stream-places.js';

const VERSION = /^\d{1,15}$/;

/** Live events of the customer's account (server-sent events). */
export class Feed implements OnModuleDestroy {
  private readonly places = new StreamPlaces();

  constructor(private readonly feed: EventFeed) {}

  /** Before the server waits for its connections: these would stay for ever. */
  onModuleDestroy(): Promise<void> {
    return this.feed.stop();
  }

  /** Sends the events of the session's account for as long as somebody reads them. */
  listen(): Sending {
    return (request, reply) => this.stream(request, reply);
  }

  private async stream(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    negotiate(request, ['text/event-stream']);
    const last = lastEventId(request);
    const session = sessionOf(request);
    const leave = this.places.take(session);
    if (typeof leave === 'string') throw tooMany(leave);
    try {
      const begin = await this.feed.start(session.accountId, last);
      if (this.open(request, reply, session, begin)) reply.raw.once('close', leave);
      else leave();
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Answers whether somebody listens. */
  private open(
    request: FastifyRequest,
    reply: FastifyReply,
    session: Session,
    { version, missed }: StreamBegin,
  ): boolean {
    void reply
      .header('content-type', 'text/event-stream; charset=utf-8')
      .header('cache-control', NO_STORE)
      // A proxy that gathers answers before it sends them would keep every line to itself.
      .header('x-accel-buffering', 'no');
    if (request.method === 'HEAD') {
      void reply.send();
      return false;
    }
    reply.hijack();
    const stream = new EventStream(reply.raw, session, version);
    stream.open(reply.getHeaders() as OutgoingHttpHeaders);
    stream.send({ version, kind: 'ready', data: { version } });
    if (missed) stream.send({ version, kind: 'reset', data: { version } });
    // A client that has hung up by now gets no close event any more.
    if (reply.raw.destroyed) return false;
    reply.raw.once('close', () => this.feed.remove(stream));
    // Whoever has closed his side reads no events any more: a browser that has left the page.
    request.raw.socket.once('end', () => reply.raw.destroy());
    this.feed.add(stream);
    return true;
  }
}

function lastEventId({ headers }: FastifyRequest): number | null {
  const sent = headers['last-event-id']?.toString();
  if (sent === undefined || sent === '') return null;
  if (VERSION.test(sent)) return Number(sent);
  const detail = 'This must be the id that the last message had, a whole number.';
  const fault = { in: 'header', name: 'Last-Event-ID', value: sent, detail } as const;
  throw new ProblemException(invalidParameters([fault]));
}

function tooMany(detail: string): ProblemException {
  return new ProblemException(problem('rate-limited', detail, {}, { 'retry-after': '5' }));
}
