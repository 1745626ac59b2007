import {
  AccountingUnavailableError,
  type ChargeOutcome,
  type ChargeRequest,
  type Charging,
  type QuoteOutcome,
  type QuoteRequest,
} from '#account/charging.js';
import type { Clock } from '#calendar/clock.js';
import { laneOf } from '#event-log/event-log.js';
import type { ChargingTls } from './charging-tls.js';
import { parseChargingUrl } from './charging-url.js';
import { chooseProcess, type Candidate } from './choose-process.js';
import type { ForwardedAnswer, ForwardedRequest, Forwarding } from './forwarding.js';
import type { UnsettledCall } from './messages.js';
import { PendingCharge } from './pending-charge.js';
import { PendingForward } from './pending-forward.js';
import { PendingQuote } from './pending-quote.js';
import { ProcessLink, type LinkTimings } from './process-link.js';
import type { Route } from './route.js';
import { checkSecret } from './secret.js';
import { UnsettledCalls } from './unsettled-calls.js';
import type { UnsettledJournal } from './unsettled-journal.js';

export interface RemoteChargingOptions {
  /** CHARGING_URLS: `tcp://host:port` of each accounting process, in the same order everywhere. */
  readonly urls: readonly string[];
  /** CHARGING_SECRET, at least 32 characters. */
  readonly secret: string;
  /** Without it the link is neither encrypted nor signed. */
  readonly tls?: ChargingTls | undefined;
  readonly clock: Clock;
  /** Called with all that an operator should read: an error whose message is a line for the log. */
  readonly onFault: (error: unknown) => void;
  /** Requests that wait for their answer; one more is refused at once. */
  readonly inFlightMax?: number;
  readonly quoteTimeoutMs?: number;
  /** How long after `notAfter` the answer to a request in time may still arrive. */
  readonly graceMs?: number;
  readonly settleRetryMs?: number;
  readonly unsettledMax?: number;
  /** Where calls of unknown fate outlive this process. */
  readonly journal?: UnsettledJournal;
  readonly timings?: Partial<LinkTimings>;
}

const TIMINGS: LinkTimings = {
  connectTimeoutMs: 5_000,
  pingEveryMs: 1_500,
  reconnectFirstMs: 100,
  reconnectMostMs: 1_000,
  stableAfterMs: 10_000,
};

const UNABLE: Candidate = { ready: false, stable: false };

/** How long a stop waits for somebody to take the calls that are unsettled. */
const FLUSH_MS = 1_000;

/** How long a forwarded request may take. */
const FORWARD_MS = 20_000;

/** Work that waits for an answer, as far as a stop is concerned. */
interface WaitingWork {
  abandon(): void;
}

/** The port `Charging` where API and accounting are processes of their own. */
export class RemoteCharging implements Charging, Forwarding {
  private readonly links: readonly ProcessLink[];
  private readonly lastLink = new Map<number, number>();
  private readonly waiting = new Set<WaitingWork>();
  private readonly unsettled: UnsettledCalls;
  private readonly inFlightMax: number;
  private closing = false;
  private onIdle: () => void = () => undefined;
  private readonly route: Route = (accountId, avoided) => this.link(accountId, avoided);
  private readonly now = (): number => this.options.clock.now();

  /** Connects at once. Throws a RangeError for a wrong address or a secret that is too short. */
  constructor(private readonly options: RemoteChargingOptions) {
    const { onFault, urls } = options;
    const identity = { secret: checkSecret(options.secret), tls: options.tls };
    const addresses = urls.map((url) => parseChargingUrl(url));
    if (addresses.length === 0) throw new RangeError('CHARGING_URLS names no process.');
    this.inFlightMax = options.inFlightMax ?? 10_000;
    this.unsettled = new UnsettledCalls({
      route: this.route,
      now: this.now,
      onFault,
      retryMs: options.settleRetryMs ?? 1_000,
      callsMax: options.unsettledMax ?? 10_000,
      journal: options.journal,
    });
    const timings = { ...TIMINGS, ...options.timings };
    const events = { onFault, onReady: () => this.askAgain() };
    this.links = addresses.map((address) => new ProcessLink(address, identity, timings, events));
    void this.unsettled.recover();
  }

  /**
   * Throws AccountingUnavailableError when no process has charged it, else an OutcomeUnknownError
   * when none has reported its fate by `notAfter`; a charge that turns out to stand is then
   * refunded. Retries with the same id until then.
   */
  charge(request: ChargeRequest): Promise<ChargeOutcome> {
    const parts = {
      route: this.route,
      now: this.now,
      unsettled: this.unsettled,
      graceMs: this.options.graceMs ?? 250,
    };
    return this.track((settled) => new PendingCharge(request, parts, settled));
  }

  /** Throws AccountingUnavailableError, at the latest after `quoteTimeoutMs`. */
  quote(request: QuoteRequest): Promise<QuoteOutcome> {
    const timeoutMs = this.options.quoteTimeoutMs ?? 5_000;
    return this.track((settled) => new PendingQuote(request, this.route, timeoutMs, settled));
  }

  /** As the port says it, at the latest after `FORWARD_MS`. */
  forward(request: ForwardedRequest): Promise<ForwardedAnswer> {
    return this.track((settled) => new PendingForward(request, this.route, FORWARD_MS, settled));
  }

  /** Settles what another process has left; resolves to whether it outlives this process too. */
  settle(call: UnsettledCall): Promise<boolean> {
    return this.unsettled.add(call, call.notBefore ?? 0);
  }

  /** Whether a process is connected that can decide. */
  ready(): boolean {
    return !this.closing && this.connected > 0;
  }

  /** Accounting processes that are connected and can decide now. */
  get connected(): number {
    return this.links.filter((link) => link.ready).length;
  }

  /** Why each process cannot be asked that cannot, by its place in CHARGING_URLS. */
  get trouble(): string {
    const away = this.links.flatMap(({ ready, trouble }, index) =>
      ready ? [] : [`process ${index + 1}: ${trouble}`],
    );
    return away.join('; ');
  }

  /** Requests that wait for their answer. */
  get inFlight(): number {
    return this.waiting.size;
  }

  /** Calls whose fate is unknown and that no accounting process has taken yet. */
  get unsettledCalls(): number {
    return this.unsettled.size;
  }

  /** Takes nothing new, waits for what is under way for at most `drainMs`, and disconnects. */
  async close(drainMs = 5_000): Promise<void> {
    this.closing = true;
    if (this.waiting.size > 0) {
      const deadline = setTimeout(() => this.abandon(), drainMs);
      await new Promise<void>((resolve) => (this.onIdle = resolve));
      clearTimeout(deadline);
    }
    if (this.connected > 0) await this.unsettled.flush(FLUSH_MS);
    this.unsettled.stop();
    for (const link of this.links) link.close();
  }

  /** A process can decide: it takes what waits at those that cannot. */
  private askAgain(): void {
    this.unsettled.handOver();
    for (const link of this.links) link.reportUnable();
  }

  private abandon(): void {
    for (const pending of this.waiting) pending.abandon();
  }

  private track<Outcome>(
    begin: (settled: {
      readonly resolve: (outcome: Outcome) => void;
      readonly reject: (error: Error) => void;
    }) => WaitingWork & { attempt(): void },
  ): Promise<Outcome> {
    if (this.closing || this.waiting.size >= this.inFlightMax) {
      return Promise.reject(new AccountingUnavailableError('Too many requests wait already.'));
    }
    return new Promise<Outcome>((resolve, reject) => {
      const pending = begin({
        resolve: (outcome) => {
          this.forget(pending);
          resolve(outcome);
        },
        reject: (error) => {
          this.forget(pending);
          reject(error);
        },
      });
      this.waiting.add(pending);
      try {
        pending.attempt();
      } catch (error) {
        this.forget(pending);
        throw error;
      }
    });
  }

  private forget(pending: WaitingWork): void {
    this.waiting.delete(pending);
    if (this.closing && this.waiting.size === 0) this.onIdle();
  }

  private link(
    accountId: string,
    avoided: ReadonlySet<ProcessLink> | undefined,
  ): ProcessLink | undefined {
    const lane = laneOf(accountId);
    if (avoided !== undefined) return this.linkBeside(lane, avoided);
    const index = chooseProcess(lane, this.links, this.lastLink.get(lane));
    if (index === undefined) return undefined;
    this.lastLink.set(lane, index);
    return this.links[index];
  }

  /** For one request: its lane stays where it is. */
  private linkBeside(lane: number, avoided: ReadonlySet<ProcessLink>): ProcessLink | undefined {
    const candidates = this.links.map((link) => (avoided.has(link) ? UNABLE : link));
    const index = chooseProcess(lane, candidates, undefined);
    return index === undefined ? undefined : this.links[index];
  }
}
