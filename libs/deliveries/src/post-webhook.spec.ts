import net from 'node:net';
import fc from 'fast-check';
import { isPublicAddress } from './public-address.js';
import { postWebhook, type PostOptions } from './post-webhook.js';
import { CERTIFICATE, KEY } from './receiver-certificate.suite.js';
import { Receiver, silence, status } from './receiver.suite.js';
import { resolveLocally, resolvePublicly, type ResolveHost } from './resolve-host.js';

const NEVER = new AbortController().signal;
const HEADERS = { 'webhook-id': 'id-1' };

let receiver: Receiver;

beforeEach(async () => {
  receiver = await Receiver.start();
});

afterEach(async () => {
  jest.restoreAllMocks();
  await receiver.close();
});

function post(url: string, options: Partial<PostOptions> = {}) {
  const usual = { resolve: resolveLocally, allowPrivate: true, timeoutMs: 5_000, signal: NEVER };
  return postWebhook(url, HEADERS, '{"a":"ü"}', { ...usual, ...options });
}

/** Answers with each list in turn, then with the last again and again. */
function dns(...answers: readonly (readonly string[])[]): ResolveHost & { asked: number } {
  const resolve = async (): Promise<readonly string[]> => {
    const answer = answers[Math.min(resolve.asked, answers.length - 1)] ?? [];
    resolve.asked += 1;
    return answer;
  };
  resolve.asked = 0;
  return resolve;
}

describe('a request', () => {
  test('carries headers and body, and its answer is the status', async () => {
    expect(await post(receiver.url())).toEqual({ outcome: 'answered', status: 204 });
    expect(receiver.received).toEqual([
      {
        method: 'POST',
        path: '/hooks',
        body: '{"a":"ü"}',
        headers: expect.objectContaining({ 'webhook-id': 'id-1', 'content-length': '10' }),
      },
    ]);
  });

  test.each([200, 302, 404, 410, 500, 503])('is answered with %i', async (code) => {
    receiver.answer = status(code);
    expect(await post(receiver.url())).toEqual({ outcome: 'answered', status: code });
  });

  test('follows no redirect', async () => {
    const other = await Receiver.start();
    receiver.answer = status(307, { location: other.url() });
    expect(await post(receiver.url())).toEqual({ outcome: 'answered', status: 307 });
    expect(other.connections).toBe(0);
    await other.close();
  });

  test('is cut when no answer comes in time', async () => {
    receiver.answer = silence;
    expect(await post(receiver.url(), { timeoutMs: 100 })).toEqual({
      outcome: 'unanswered',
      detail: 'No answer within 0.1 s.',
    });
  });

  test('is cut when its name is not resolved in time', async () => {
    const resolve: ResolveHost = () => new Promise(() => undefined);
    expect(await post(receiver.url(), { resolve, timeoutMs: 100 })).toMatchObject({
      outcome: 'unanswered',
    });
    expect(receiver.connections).toBe(0);
  });

  test('is cut when the service stops', async () => {
    receiver.answer = silence;
    const stopping = new AbortController();
    const posted = post(receiver.url(), { signal: stopping.signal });
    receiver.answer = () => stopping.abort();
    expect(await posted).toEqual({
      outcome: 'unanswered',
      detail: 'The service stopped before there was an answer.',
    });
  });

  test('that is answered with headers alone has its status once the time is up', async () => {
    receiver.answer = (response) => response.writeHead(200).flushHeaders();
    expect(await post(receiver.url(), { timeoutMs: 1_000 })).toEqual({
      outcome: 'answered',
      status: 200,
    });
  });

  test('reads little of an answer of 10 MB', async () => {
    const block = Buffer.alloc(65_536);
    let written = 0;
    receiver.answer = (response) => {
      response.on('error', () => undefined);
      const write = (): void => {
        while (written < 10_485_760 && !response.destroyed) {
          written += block.length;
          if (!response.write(block)) return void response.once('drain', write);
        }
        response.end();
      };
      write();
    };
    const startedAt = performance.now();
    expect(await post(receiver.url())).toEqual({ outcome: 'answered', status: 200 });
    expect(performance.now() - startedAt).toBeLessThan(4_000);
    // What was sent sits in the buffers of the sockets, and no more.
    expect(written).toBeLessThan(10_485_760);
  });

  test('fails where nobody listens, where the connection breaks, and on garbage', async () => {
    const gone = await Receiver.start();
    const url = gone.url();
    await gone.close();
    expect(await post(url)).toMatchObject({ detail: expect.stringContaining('ECONNREFUSED') });
    receiver.answer = (response) => void response.socket?.destroy();
    expect(await post(receiver.url())).toMatchObject({ outcome: 'unanswered' });
    receiver.answer = (response) => void response.socket?.end('garbage\r\n\r\n');
    expect(await post(receiver.url())).toMatchObject({ outcome: 'unanswered' });
  });
});

describe('a name', () => {
  test('is asked for once, and what it said then is connected to', async () => {
    const resolve = dns(['127.0.0.1'], ['127.0.0.9']);
    const url = receiver.url('receiver.example');
    expect(await post(url, { resolve })).toMatchObject({ status: 204 });
    expect(resolve.asked).toBe(1);
    expect(receiver.received[0]?.headers.host).toBe(`receiver.example:${receiver.port}`);
  });

  test('with several addresses is tried at each of them', async () => {
    const resolve = dns(['::1', '127.0.0.1']);
    expect(await post(receiver.url('receiver.example'), { resolve })).toMatchObject({
      status: 204,
    });
  });

  test('that has no address is no receiver', async () => {
    const url = receiver.url('receiver.example');
    expect(await post(url, { resolve: dns([]) })).toEqual({
      outcome: 'unanswered',
      detail: 'The name has no address.',
    });
    const resolve = async (): Promise<never> => {
      throw Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' });
    };
    expect(await post(url, { resolve })).toMatchObject({
      detail: 'The name is not resolved (ENOTFOUND).',
    });
  });

  test('of https has to be the one in the certificate', async () => {
    const secure = await Receiver.start({ cert: CERTIFICATE, key: KEY });
    const [resolve, tls] = [dns(['127.0.0.1']), { ca: CERTIFICATE }];
    const right = await post(secure.url('receiver.example'), { resolve, tls });
    const wrong = await post(secure.url('other.example'), { resolve, tls });
    const untrusted = await post(secure.url('receiver.example'), { resolve });
    expect([right, wrong, untrusted]).toMatchObject([
      { outcome: 'answered', status: 204 },
      { outcome: 'unanswered' },
      { outcome: 'unanswered' },
    ]);
    expect(secure.received).toHaveLength(1);
    await secure.close();
  });
});

describe('where private addresses are not allowed', () => {
  const byte = fc.nat(255);
  const privateIpv4 = fc.oneof(
    fc.tuple(fc.constantFrom(0, 10, 127, 224, 255), byte, byte, byte),
    fc.tuple(fc.constant(169), fc.constant(254), byte, byte),
    fc.tuple(fc.constant(192), fc.constant(168), byte, byte),
    fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), byte, byte),
    fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), byte, byte),
  );
  const mapped = (bytes: readonly number[]): string => `::ffff:${bytes.join('.')}`;
  const hidden = (prefix: string, bytes: readonly number[]): string =>
    prefix +
    Buffer.from(bytes)
      .toString('hex')
      .replace(/^(.{4})/, '$1:');
  const privateAddress = fc.oneof(
    privateIpv4.map((bytes) => bytes.join('.')),
    privateIpv4.map(mapped),
    privateIpv4.map((bytes) => hidden('64:ff9b::', bytes)),
    privateIpv4.map((bytes) => `${hidden('2002:', bytes)}::1`),
    fc.constantFrom('::', '::1', 'fe80::1', 'fc00::1', 'fd00:ec2::254', 'ff02::1'),
  );

  function refuseAll(): jest.SpyInstance {
    return jest.spyOn(net.Socket.prototype, 'connect').mockImplementation(() => {
      throw new Error('Something was connected to.');
    });
  }

  test('no private address is ever connected to, alone or beside public ones', async () => {
    const connect = refuseAll();
    const property = fc.asyncProperty(
      privateAddress,
      fc.array(fc.ipV4().filter(isPublicAddress), { maxLength: 2 }),
      fc.nat(2),
      async (address, others, at) => {
        const found = others.toSpliced(at, 0, address);
        const resolve = dns(found);
        const posted = await post('https://receiver.example/', { resolve, allowPrivate: false });
        expect(posted).toEqual({
          outcome: 'unanswered',
          detail: 'The name leads to an address that is not public.',
        });
      },
    );
    await fc.assert(property, { numRuns: 500 });
    expect(connect).not.toHaveBeenCalled();
  });

  test('none is connected to when it stands in the address itself, however it is written', async () => {
    const connect = refuseAll();
    const written = privateIpv4.chain((bytes) => {
      const number = Buffer.from(bytes).readUInt32BE();
      const hex = bytes.map((value) => `0x${value.toString(16)}`).join('.');
      return fc.constantFrom(bytes.join('.'), String(number), hex, `[${mapped(bytes)}]`);
    });
    const property = fc.asyncProperty(written, async (host) => {
      const url = `https://${host}/`;
      const posted = await post(url, { resolve: resolvePublicly, allowPrivate: false });
      expect(posted).toEqual({ outcome: 'unanswered', detail: 'This is no public address.' });
    });
    await fc.assert(property, { numRuns: 500 });
    expect(connect).not.toHaveBeenCalled();
  });

  test('a name that answers otherwise the second time leads nowhere else', async () => {
    const resolve = dns(['8.8.8.8'], ['127.0.0.1']);
    const found: unknown[] = [];
    // Asks as a socket does, again and again, and gives up.
    jest.spyOn(net.Socket.prototype, 'connect').mockImplementation(function connect(
      this: net.Socket,
      ...args: unknown[]
    ) {
      const { host = '', lookup } = [args].flat(2)[0] as net.TcpSocketConnectOpts;
      for (const all of [true, false, true]) {
        lookup?.(host, { all }, (_error, addresses) => found.push(addresses));
      }
      setImmediate(() => this.destroy(new Error('enough')));
      return this;
    });
    const posted = await post('https://receiver.example/', { resolve, allowPrivate: false });
    expect(posted).toEqual({ outcome: 'unanswered', detail: 'enough' });
    const all = [{ address: '8.8.8.8', family: 4 }];
    expect(found).toEqual([all, '8.8.8.8', all]);
    expect(resolve.asked).toBe(1);
  });

  test('http is not called at all, and this machine has no public name', async () => {
    const options = { resolve: resolvePublicly, allowPrivate: false };
    expect(await post(receiver.url('8.8.8.8'), options)).toMatchObject({
      detail: 'Only https is taken.',
    });
    expect(await post('https://localhost/', options)).toMatchObject({
      detail: 'This is no public address.',
    });
    expect(receiver.connections).toBe(0);
  });
});

test('this machine is found by its name where private addresses are allowed', async () => {
  expect(await post(receiver.url('localhost'))).toMatchObject({ status: 204 });
});

test('a literal is its own address, and localhost this machine, without a server being asked', async () => {
  expect(await resolvePublicly('192.0.2.7', NEVER)).toEqual(['192.0.2.7']);
  expect(await resolvePublicly('::1', NEVER)).toEqual(['::1']);
  expect(await resolvePublicly('api.localhost', NEVER)).toEqual(['127.0.0.1', '::1']);
});
