import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { codeOf } from '#database/errors.js';
import { answerRequest, type Answering, type Request } from './answer-request.js';
import { answerText, readApiMessage } from './call-rows.js';
import { ChargingFault } from './charging-fault.js';
import { FrameError } from './frames.js';
import { FramedSocket } from './framed-socket.js';
import {
  admit,
  challenge,
  type PendingProof,
  refusalText,
  refusedMessage,
  type HandshakeRefusal,
} from './handshake.js';
import { NO_MESSAGE, type Answer } from './messages.js';
import type { RefusalLog } from './refusal-log.js';
import { peerOf, type AnonymousPeers } from './anonymous-peers.js';
import { LEFT } from './tls-faults.js';

/** Whether the process behind the server can decide, and if not, why. */
export interface Ability {
  readonly ready: boolean;
  readonly detail?: string;
}

export interface ServerConnectionOptions extends Answering {
  readonly secret: string;
  /** Requests of one connection that wait for their answer; one more is refused. */
  readonly inFlightMax: number;
  readonly handshakeTimeoutMs: number;
  /** A peer that says nothing for so long, not even a ping, is gone. */
  readonly silenceMaxMs: number;
  readonly refusals: RefusalLog;
  readonly strangers: AnonymousPeers;
  readonly ability: () => Ability;
}

/** Answers that may wait for a peer that does not read them. */
const ANSWERS_WAITING_MAX = 100_000;
/** How long a peer may take to say that it asks nothing more. */
const BYE_MS = 1_000;

/** The accounting side of one connection: proves both ends, then answers what is asked. */
export class ServerConnection {
  private phase: 'hello' | 'proof' | 'open' = 'hello';
  private challenged: PendingProof | undefined;
  private inFlight = 0;
  private leaving = false;
  private quiet = false;
  private refused = false;
  private readonly isEncrypted: boolean;
  private readonly peer: string;
  private readonly framed: FramedSocket;
  private readonly handshakeTimer: NodeJS.Timeout;

  constructor(
    socket: Socket,
    private readonly options: ServerConnectionOptions,
    private readonly onClosed: (connection: ServerConnection) => void,
  ) {
    this.peer = peerOf(socket);
    this.isEncrypted = socket instanceof TLSSocket;
    this.framed = new FramedSocket(socket, {
      onMessage: (message) => this.receive(message),
      onClosed: (error) => this.closed(error),
    });
    this.handshakeTimer = setTimeout(
      () => this.framed.fail(new ChargingFault('it did not prove itself in time')),
      options.handshakeTimeoutMs - options.strangers.ageMs(this.peer),
    );
    socket.setTimeout(options.silenceMaxMs, () =>
      this.framed.fail(new ChargingFault('it fell silent')),
    );
  }

  /** Takes no new request, answers those under way, then ends. */
  leave(): void {
    this.leaving = true;
    if (this.phase !== 'open') return this.framed.end();
    this.framed.send({ kind: 'leaving' });
    setTimeout(() => this.hush(), BYE_MS).unref();
  }

  /** Says whether this process can decide. */
  announce(): void {
    if (this.phase !== 'open' || this.leaving) return;
    const { ready, detail = '' } = this.options.ability();
    const forwards = this.options.forwarding !== undefined;
    this.framed.send(
      ready
        ? { kind: 'ready', ...(forwards && { forwards }) }
        : { kind: 'not-ready', reason: detail },
    );
  }

  /** Ends at once. */
  abandon(): void {
    this.framed.fail(new ChargingFault('this process stopped before every request was answered'));
  }

  private receive(message: unknown): void {
    if (this.phase === 'hello') return this.greet(message);
    if (this.phase === 'proof') return this.check(message);
    const said = readApiMessage(message);
    if (said === undefined) throw new FrameError(NO_MESSAGE);
    switch (said.kind) {
      case 'ping':
        this.framed.send({ kind: 'pong' });
        return;
      case 'bye':
        this.hush();
        return;
      case 'charge':
      case 'quote':
      case 'settle':
      case 'forward':
        this.take(said);
    }
  }

  private greet(message: unknown): void {
    const answer = challenge(this.options.secret, message, randomBytes(32).toString('hex'));
    if ('refused' in answer) return this.refuse(answer);
    this.phase = 'proof';
    this.challenged = answer;
    this.framed.send(answer.reply);
  }

  private check(message: unknown): void {
    const { challenged } = this;
    if (challenged === undefined) throw new FrameError('A proof without a challenge.');
    const answer = admit(challenged, message);
    if ('refused' in answer) return this.refuse(answer);
    this.phase = 'open';
    this.options.strangers.forget(this.peer);
    clearTimeout(this.handshakeTimer);
    this.framed.trust();
    this.framed.send(answer.reply);
    this.announce();
  }

  private refuse(refusal: HandshakeRefusal): void {
    this.refused = true;
    const why = refusalText(refusal);
    const line = `API process at ${this.peer} was refused: ${why}.`;
    this.options.refusals.report(refusal.refused, line);
    this.framed.send(refusedMessage(refusal));
    this.framed.end();
  }

  private take(request: Request): void {
    const { id } = request;
    if (this.leaving) return this.answer({ kind: 'draining', id }, request);
    if (this.inFlight >= this.options.inFlightMax) {
      const detail = 'Too many requests wait already.';
      return this.answer({ kind: 'unavailable', id, retryAfterSeconds: 1, detail }, request);
    }
    this.inFlight += 1;
    void answerRequest(request, this.options).then((answer) => {
      this.inFlight -= 1;
      this.answer(answer, request);
      this.endIfDone();
    });
  }

  private answer(answer: Answer, request: Request): void {
    if (this.framed.waiting >= ANSWERS_WAITING_MAX) {
      this.framed.fail(new ChargingFault('it does not read its answers'));
      return;
    }
    try {
      this.framed.sendText(answerText(answer, request));
    } catch (error) {
      this.options.onFault(error);
      this.framed.send({ kind: 'unknown', id: answer.id });
    }
  }

  private hush(): void {
    this.quiet = true;
    this.endIfDone();
  }

  /** After its `bye` a peer asks nothing more, so what is answered now is all there is. */
  private endIfDone(): void {
    if (this.leaving && this.quiet && this.inFlight === 0) this.framed.end();
  }

  private closed(error: Error | undefined): void {
    clearTimeout(this.handshakeTimer);
    if (error !== undefined) this.lost(error);
    else if (this.isEncrypted && this.phase === 'hello' && !this.leaving && !this.refused) {
      const line = `API process at ${this.peer} was refused: ${LEFT}.`;
      this.options.refusals.report('ECONNRESET', line);
    }
    this.onClosed(this);
  }

  private lost(error: Error): void {
    const line = `Connection of API process ${this.peer} was lost: ${error.message}`;
    const { refusals, onFault } = this.options;
    if (this.phase === 'open') return onFault(new ChargingFault(line, { cause: error }));
    const reason = error instanceof FrameError ? error.name : (codeOf(error) ?? error.message);
    refusals.report(reason, line, error);
  }
}
