import { randomBytes } from 'node:crypto';
import { growingWaitMs } from '#event-log/alarm.js';
import { ChargingFault } from './charging-fault.js';
import { chargedOf, chargeText } from './call-rows.js';
import { openSocket, type ChargingTls } from './charging-tls.js';
import type { ChargingAddress } from './charging-url.js';
import type { Exchange, Ticket } from './exchange.js';
import { FrameError } from './frames.js';
import { FramedSocket } from './framed-socket.js';
import {
  hello,
  otherVersion,
  PROTOCOL_VERSION,
  prove,
  refusalText,
  refusedMessage,
  welcomed,
  type HandshakeRefusal,
} from './handshake.js';
import { isAccountingMessage, isCount, NO_MESSAGE, type ApiMessage } from './messages.js';
import { lossText } from './loss-text.js';
import type { Outgoing } from './outbox.js';

export interface LinkTimings {
  readonly connectTimeoutMs: number;
  readonly pingEveryMs: number;
  /** First and longest wait before the next attempt to connect. */
  readonly reconnectFirstMs: number;
  readonly reconnectMostMs: number;
  /** How long a process has to be connected and able to decide before lanes come home to it. */
  readonly stableAfterMs: number;
}

/** The secret and certificates by which both sides authenticate. */
export interface LinkIdentity {
  readonly secret: string;
  readonly tls: ChargingTls | undefined;
}

export interface LinkEvents {
  readonly onReady: () => void;
  readonly onFault: (error: unknown) => void;
}

/** Pings without any word in return after which a connection is given up. */
const PINGS_UNANSWERED_MAX = 3;
const UNSAID = 'it has not said yet whether it can decide';

type RequestMessage = Extract<ApiMessage, { readonly id: number }>;
/** A request but for its number; `isRetry` in place of that of the charge. */
export type Question =
  | (Omit<Extract<RequestMessage, { readonly kind: 'charge' }>, 'id'> & {
      readonly isRetry: boolean;
    })
  | Omit<Extract<RequestMessage, { readonly kind: 'quote' }>, 'id'>
  | Omit<Extract<RequestMessage, { readonly kind: 'settle' }>, 'id'>
  | Omit<Extract<RequestMessage, { readonly kind: 'forward' }>, 'id'>;

interface UnderWay {
  readonly question: Question;
  readonly exchange: Exchange;
  readonly outgoing: Outgoing;
}

/** The connection to one accounting process: always kept up, with a new proof each time. */
export class ProcessLink {
  private phase: 'away' | 'greeting' | 'proven' | 'open' | 'leaving' = 'away';
  private framed: FramedSocket | undefined;
  private underWay = new Map<number, UnderWay>();
  private lastId = 0;
  private failures = 0;
  private unanswered = 0;
  /** Why the process cannot decide; null: it can. */
  private unable: string | null = null;
  private readySince = 0;
  /** Whether it takes what is forwarded, by what it says. */
  forwards = false;
  private version = PROTOCOL_VERSION;
  private expectedProof = '';
  private lastFault = '';
  private closing = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly address: ChargingAddress,
    private readonly identity: LinkIdentity,
    private readonly timings: LinkTimings,
    private readonly events: LinkEvents,
  ) {
    this.open();
  }

  /** Connected, and able to decide by what it says. */
  get ready(): boolean {
    return this.phase === 'open' && this.unable === null;
  }

  get stable(): boolean {
    return this.ready && performance.now() - this.readySince >= this.timings.stableAfterMs;
  }

  /** Why nothing can be asked of it, as a part of a sentence. */
  get trouble(): string {
    return this.phase === 'open' ? (this.unable ?? '') : 'not connected';
  }

  get url(): string {
    return this.address.url;
  }

  /** Asks a process that is `ready`. Throws a RangeError for a question that fits no frame. */
  ask(question: Question, exchange: Exchange): Ticket {
    const { framed, underWay } = this;
    if (framed === undefined || !this.ready) throw new Error(`${this.url} is not ready.`);
    const id = ++this.lastId;
    const outgoing = framed.sendText(this.textOf(id, question));
    underWay.set(id, { question, exchange, outgoing });
    const cancel = (): boolean => {
      underWay.delete(id);
      if (outgoing.state === 'queued') outgoing.state = 'dropped';
      return outgoing.state === 'sent';
    };
    const passTo = (heir: Exchange): boolean => {
      const wasSent = cancel();
      if (wasSent) underWay.set(id, { question, exchange: heir, outgoing });
      return wasSent;
    };
    return { cancel, passTo };
  }

  /** Ends the connection for good; what is under way is lost. */
  close(): void {
    this.closing = true;
    clearTimeout(this.timer);
    this.framed?.fail(new ChargingFault('this process stopped'));
  }

  /** Processes of the version before take no arrays. */
  private textOf(id: number, question: Question): string {
    if (question.kind !== 'charge') return JSON.stringify({ ...question, id });
    const { request, isRetry } = question;
    if (this.version === PROTOCOL_VERSION) return chargeText(id, request, isRetry);
    return JSON.stringify({ kind: 'charge', id, request: { ...request, isRetry } });
  }

  private open(): void {
    const nonce = randomBytes(32).toString('hex');
    const greet = () => void framed.send(hello(nonce, this.version));
    const socket = openSocket(this.address, this.identity.tls, greet);
    const framed = new FramedSocket(socket, {
      onMessage: (message) => this.receive(framed, nonce, message),
      onClosed: (error) => this.lost(error),
    });
    this.framed = framed;
    this.phase = 'greeting';
    this.timer = setTimeout(
      () => framed.fail(new ChargingFault('it did not answer in time')),
      this.timings.connectTimeoutMs,
    );
  }

  private receive(framed: FramedSocket, nonce: string, message: unknown): void {
    this.unanswered = 0;
    if (this.phase === 'greeting') {
      const answer = prove(this.identity.secret, nonce, message, this.version);
      if ('refused' in answer) return this.refuse(framed, answer);
      this.phase = 'proven';
      this.expectedProof = answer.expected;
      framed.send(answer.reply);
      return;
    }
    if (this.phase === 'proven') {
      const answer = welcomed(this.expectedProof, message);
      if ('refused' in answer) return this.refuse(framed, answer);
      return this.begin(framed);
    }
    this.hear(framed, message);
  }

  private begin(framed: FramedSocket): void {
    framed.trust();
    this.phase = 'open';
    this.lastFault = '';
    clearTimeout(this.timer);
    this.timer = setInterval(() => this.ping(framed), this.timings.pingEveryMs);
    this.timer.unref();
    this.unable = UNSAID;
  }

  private becomeReady(): void {
    if (this.unable === null) return;
    this.unable = null;
    this.readySince = performance.now();
    this.events.onReady();
  }

  private becomeUnable(reason: string): void {
    const isNews = this.unable === null || this.unable === UNSAID;
    this.unable = reason;
    if (!isNews) return;
    const said = `Accounting process ${this.url} cannot decide: ${reason}.`;
    this.events.onFault(new ChargingFault(said));
    this.reportUnable();
  }

  /** Lets all that waits at a process which cannot decide ask another one. */
  reportUnable(): void {
    if (this.phase !== 'open' || this.ready) return;
    for (const { exchange } of this.underWay.values()) exchange.onUnable?.();
  }

  private hear(framed: FramedSocket, message: unknown): void {
    if (Array.isArray(message)) return this.hearCharged(message);
    if (!isAccountingMessage(message)) throw new FrameError(NO_MESSAGE);
    if (message.kind === 'leaving') {
      this.phase = 'leaving';
      framed.send({ kind: 'bye' });
      return;
    }
    this.failures = 0;
    if (message.kind === 'pong') return;
    if (message.kind === 'ready') {
      this.forwards = message.forwards === true;
      return this.becomeReady();
    }
    if (message.kind === 'not-ready') return this.becomeUnable(message.reason);
    const waiting = this.underWay.get(message.id);
    this.underWay.delete(message.id);
    // Cancelled requests are answered too, and nobody waits for that any more.
    waiting?.exchange.onAnswer(message);
  }

  private hearCharged(row: readonly unknown[]): void {
    const [id] = row;
    if (!isCount(id)) throw new FrameError(NO_MESSAGE);
    this.failures = 0;
    const waiting = this.underWay.get(id);
    if (waiting === undefined) return;
    const { question, exchange } = waiting;
    const answer = question.kind === 'charge' ? chargedOf(row, question.request) : undefined;
    if (answer === undefined) throw new FrameError(NO_MESSAGE);
    this.underWay.delete(id);
    exchange.onAnswer(answer);
  }

  /** Counts pings instead of time: a pause of this process must not look like one of the peer. */
  private ping(framed: FramedSocket): void {
    if (this.unanswered >= PINGS_UNANSWERED_MAX) {
      framed.fail(new ChargingFault('it fell silent'));
      return;
    }
    this.unanswered += 1;
    framed.send({ kind: 'ping' });
  }

  private refuse(framed: FramedSocket, refusal: HandshakeRefusal): void {
    framed.send(refusedMessage(refusal));
    const version = otherVersion(refusal, this.version);
    if (version !== undefined) {
      this.version = version;
      this.phase = 'leaving';
      return framed.end();
    }
    framed.end(new ChargingFault(refusalText(refusal)));
  }

  private lost(error: Error | undefined): void {
    clearTimeout(this.timer);
    const inOrder = this.phase === 'leaving' && error === undefined;
    const heard = this.phase !== 'greeting';
    this.phase = 'away';
    this.unable = null;
    this.framed = undefined;
    if (!this.closing) {
      this.failures += 1;
      if (!inOrder) this.report(lossText(error, this.identity.tls !== undefined, heard));
      const { reconnectFirstMs, reconnectMostMs } = this.timings;
      const waitMs = growingWaitMs(this.failures, reconnectFirstMs, reconnectMostMs);
      this.timer = setTimeout(() => this.open(), waitMs);
      this.timer.unref();
    }
    const { underWay } = this;
    this.underWay = new Map();
    for (const { exchange, outgoing } of underWay.values()) {
      const sent = outgoing.state === 'sent';
      exchange.onLost(sent);
    }
  }

  /** Reports the same fault once, not at every attempt. */
  private report(why: string): void {
    if (why === this.lastFault) return;
    this.lastFault = why;
    this.events.onFault(new ChargingFault(`Accounting process ${this.url} is away: ${why}.`));
  }
}
