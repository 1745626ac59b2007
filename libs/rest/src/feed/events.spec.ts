import { callAt, TUESDAY } from '#account/scenario.suite.js';
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { quickest } from '../../../../test/setup/quickest.js';
import { waitFor } from '../../../../test/setup/wait-for.js';
import { portalStage } from '../../../../test/setup/stages.js';

interface Received {
  readonly id: number | null;
  readonly kind: string;
  readonly data: Record<string, unknown>;
  /** Ms since the process began. */
  readonly at: number;
}

/** A stream as a browser's EventSource reads it. */
class Stream {
  readonly received: Received[] = [];
  isOver = false;
  private constructor(
    readonly status: number,
    private readonly breaking: AbortController,
  ) {}

  static async open(cookie: string, lastEventId?: number | string): Promise<Stream> {
    const breaking = new AbortController();
    const headers = {
      cookie,
      accept: 'text/event-stream',
      ...(lastEventId !== undefined && { 'last-event-id': String(lastEventId) }),
    };
    const { signal } = breaking;
    const response = await fetch(`${address}/portal/v1/events`, { headers, signal });
    const stream = new Stream(response.status, breaking);
    if (response.body !== null) void stream.read(response.body).catch(() => undefined);
    return stream;
  }

  close(): void {
    this.breaking.abort();
  }

  of(kind: string): Received[] {
    return this.received.filter((one) => one.kind === kind);
  }

  private async read(body: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    let rest = '';
    for await (const chunk of body) {
      const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
      rest = blocks.pop() ?? '';
      this.received.push(...blocks.filter((block) => !block.startsWith(':')).map(receivedOf));
    }
    this.isOver = true;
  }
}

function receivedOf(block: string): Received {
  const fields = new Map(
    block.split('\n').map((line) => line.split(/: (.*)/s, 2) as [string, string]),
  );
  const id = fields.get('id');
  return {
    id: id === undefined ? null : Number(id),
    kind: fields.get('event') ?? '',
    data: JSON.parse(fields.get('data') ?? '{}') as Record<string, unknown>,
    at: performance.now(),
  };
}

const stage = portalStage();
let address: string;

beforeAll(async () => {
  await stage.app.listen(0, '127.0.0.1');
  const { port } = stage.app.getHttpServer().address() as AddressInfo;
  address = `http://127.0.0.1:${port}`;
});

async function opened(): Promise<{ account: string; cookie: string; stream: Stream }> {
  const account = await stage.admin.prepaid();
  const cookie = await stage.signIn(account);
  const stream = await Stream.open(cookie);
  await waitFor('the stream is open', async () => stream.of('ready').length === 1);
  return { account, cookie, stream };
}

const WITHIN_MS = 1_000;
const MINUTE = 60_000;

describe('a page that listens', () => {
  it('receives a call within a second, as the list of calls shows it', async () => {
    const tookMs = await quickest(WITHIN_MS, async () => {
      const { account, cookie, stream } = await opened();
      const { id } = await stage.admin.call(account);
      const since = performance.now();
      await waitFor('the call arrives', async () => stream.of('call').length === 1);
      const [call] = stream.of('call');
      const { json } = await stage.get('/calls', cookie);
      expect([call?.data]).toEqual(json['items']);
      expect(call?.data['call_id']).toBe(id);
      stream.close();
      return (call?.at ?? Number.NaN) - since;
    });
    expect(tookMs).toBeLessThan(WITHIN_MS);
  });

  it('receives each kind of event with the data that a page needs, and nothing else', async () => {
    const { account, stream } = await opened();
    const path = `/accounts/${account}`;
    const budget = { period: 'month', limit_credits: 1, thresholds: [50], action: 'block' };
    await stage.admin.post(`${path}/grants`, { credits: 5, kind: 'promotional' });
    await stage.admin.call(account);
    await stage.admin.post(`${path}/budgets`, budget);
    await stage.admin.post(`${path}/api-keys`, { label: 'Another' });
    await stage.admin.post(`${path}/portal-sessions`, {});
    await stage.admin.post(`${path}/suspend`, {});
    await waitFor('all has arrived', async () => stream.of('account').length === 1);
    const kinds = stream.received.map(({ kind }) => kind);
    expect(kinds).toEqual(['ready', 'credits', 'call', 'budget', 'alert', 'api_key', 'account']);
    const [alert] = stream.of('alert');
    expect(alert?.data).toMatchObject({ threshold: 50, limit_credits: 1, call_id: null });
    const text = JSON.stringify(stream.received);
    for (const hidden of ['"by"', '"input"', '"hash"', '"request"']) {
      expect(text).not.toContain(hidden);
    }
    stream.close();
  });

  it('goes on behind what it has read, when its stream broke off', async () => {
    const { account, cookie, stream } = await opened();
    await stage.admin.call(account);
    await waitFor('the first arrives', async () => stream.of('call').length === 1);
    stream.close();
    const missed = await stage.admin.call(account);
    const again = await Stream.open(cookie, stream.of('call')[0]?.id ?? 0);
    await waitFor('the second arrives', async () => again.of('call').length === 1);
    expect(again.of('call')[0]?.data['call_id']).toBe(missed.id);
    expect(again.of('reset')).toEqual([]);
    again.close();
  });

  it('gets a reset when it names a place that is not there, and is refused without one', async () => {
    const { cookie, stream } = await opened();
    const lost = await Stream.open(cookie, 999_999);
    await waitFor('the reset arrives', async () => lost.of('reset').length === 1);
    expect(lost.of('reset')[0]?.id).toBe(stream.of('ready')[0]?.id);
    expect((await Stream.open(cookie, 'x')).status).toBe(400);
    expect((await Stream.open('')).status).toBe(401);
    stream.close();
    lost.close();
  });

  it('gets a reset when the log came back older, and receives all that comes then', async () => {
    const { account, stream } = await opened();
    const before = stream.of('ready')[0]?.id ?? 0;
    await stage.admin.call(account);
    await waitFor('the call arrives', async () => stream.of('call').length === 1);
    await stage.admin.pool.query(
      'delete from event where account_id = $1 and account_version > $2',
      [account, before],
    );
    await waitFor('the reset arrives', async () => stream.of('reset').length === 1);
    expect(stream.of('reset')[0]?.id).toBe(before);
    stream.close();
  });

  it('gets a reset when more has happened than anybody reads', async () => {
    const { account, stream } = await opened();
    const ids = Array.from({ length: 600 }, () => randomUUID());
    const notAfter = stage.admin.now + 10_000;
    const calls = ids.map((callId) =>
      stage.admin.accounting.submit({
        accountId: account,
        callId,
        isRetry: false,
        notAfter,
        command: callAt(TUESDAY, { accountId: account, callId, notAfter }),
      }),
    );
    await Promise.all(calls);
    await stage.admin.call(account);
    await waitFor('the reset arrives', async () => stream.received.length > 1);
    await waitFor('all is known', async () => (stream.received.at(-1)?.id ?? 0) > 600);
    expect(stream.of('call').length).toBeLessThanOrEqual(600);
    stream.close();
  });

  it('hears nothing of another account', async () => {
    const { account, stream } = await opened();
    const other = await opened();
    await stage.admin.call(other.account);
    await waitFor('the other arrives', async () => other.stream.of('call').length === 1);
    await stage.admin.call(account);
    await waitFor('the own arrives', async () => stream.of('call').length === 1);
    expect(other.stream.of('call')).toHaveLength(1);
    stream.close();
    other.stream.close();
  });

  it('is signed out within a second of being revoked, and cannot come back', async () => {
    const tookMs = await quickest(WITHIN_MS, async () => {
      const { account, cookie, stream } = await opened();
      const { json } = await stage.get('/session', cookie);
      const path = `/admin/v1/accounts/${account}/portal-sessions/${String(json['id'])}`;
      await stage.admin.ask('DELETE', path);
      const since = performance.now();
      await waitFor('the stream is over', async () => stream.isOver);
      const overMs = performance.now() - since;
      expect(stream.received.at(-1)?.kind).toBe('signed_out');
      expect((await Stream.open(cookie)).status).toBe(401);
      return overMs;
    });
    expect(tookMs).toBeLessThan(WITHIN_MS);
  });

  it('is signed out when nothing but streams was asked for in 30 minutes', async () => {
    const { cookie, stream } = await opened();
    stage.admin.now += 20 * MINUTE;
    const again = await Stream.open(cookie);
    await waitFor('the second stream is open', async () => again.of('ready').length === 1);
    expect(stream.isOver).toBe(false);
    stage.admin.now += 11 * MINUTE;
    await waitFor('both streams are over', async () => stream.isOver && again.isOver);
    expect([stream, again].map(({ received }) => received.at(-1)?.kind)).toEqual(
      Array(2).fill('signed_out'),
    );
    expect((await Stream.open(cookie)).status).toBe(401);
  });

  it('gets ten streams when it asks for two hundred at once', async () => {
    const account = await stage.admin.prepaid();
    const cookie = await stage.signIn(account);
    const asked = Array.from({ length: 200 }, () => Stream.open(cookie));
    const streams = await Promise.all(asked);
    const statuses = streams.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(190);
    for (const one of streams) one.close();
  });

  it('has at most ten streams at a time', async () => {
    const { cookie, stream } = await opened();
    const streams = [stream];
    for (let count = 2; count <= 10; count += 1) streams.push(await Stream.open(cookie));
    expect((await Stream.open(cookie)).status).toBe(429);
    for (const one of streams) one.close();
    await waitFor('a place is free', async () => {
      const next = await Stream.open(cookie);
      next.close();
      return next.status === 200;
    });
  });
});
