import { once } from 'node:events';
import { get, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Controller, Get, Module, Req, Res } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { waitFor } from '../../../test/setup/wait-for.js';
import { createHttpServer } from './server/http-server.js';
import { pagedList, sendList, type List } from './table-answer.js';

const columns = [{ name: 'n', cell: (row: number) => row }];
const CSV = { accept: 'text/csv' };
/** Far more than all buffers between two processes hold. */
const WIDE = [{ name: 'n', cell: (row: number) => String(row).padEnd(100_000, 'x') }];

/** The list that answers the next request, and its events. */
let list: List<number>;
let shown: readonly { name: string; cell: (row: number) => string | number }[];
let limit: number | undefined;
let read: number;
let ended: boolean;
const errors: object[] = [];

/** Batches of one row; the one numbered `breaks` cannot be read. */
async function* batches(rows: number, breaks: number): AsyncGenerator<readonly number[]> {
  try {
    for (let row = 1; row <= rows; row += 1) {
      if (row === breaks) throw new Error('The database went away.');
      read += 1;
      yield [row];
    }
  } finally {
    ended = true;
  }
}

function wholeOf(rows: number, breaks = 0): List<number> {
  const page = async () => ({ items: [1], next: 'cursor' });
  return { page, whole: async () => batches(rows, breaks) };
}

@Controller()
class ListController {
  @Get('list')
  async list(@Req() asked: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await sendList(asked, reply, limit, shown, list);
  }
}

@Module({ controllers: [ListController] })
class ListModule {}

let app: NestFastifyApplication;
let url: string;

beforeAll(async () => {
  app = await createHttpServer(ListModule, {
    baseUrl: 'http://api.test',
    log: {
      info: () => undefined,
      warn: () => undefined,
      error: (members, message) => errors.push({ ...members, message }),
    },
  });
  await app.listen(0, '127.0.0.1');
  url = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}/list`;
});

afterAll(() => app.close());

beforeEach(() => {
  [list, shown, limit, read, ended] = [wholeOf(3), columns, undefined, 0, false];
  errors.length = 0;
});

async function ask(headers: Record<string, string>, method = 'GET'): Promise<IncomingMessage> {
  const asked = request(url, { headers, method, agent: false });
  asked.end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  return answer;
}

describe('a list', () => {
  it('comes whole as CSV without a limit', async () => {
    const answer = await ask(CSV);
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['link']).toBeUndefined();
    expect(await text(answer)).toBe('n\r\n1\r\n2\r\n3\r\n');
  });

  it('comes page by page with a limit, and as JSON', async () => {
    limit = 1;
    const paged = await ask(CSV);
    expect(paged.headers['link']).toBe('</list?after=cursor>; rel="next"');
    expect(await text(paged)).toBe('n\r\n1\r\n');
    limit = undefined;
    expect(await text(await ask({}))).toBe('{"items":[1],"next":"cursor"}\n');
    expect(read).toBe(0);
  });

  it('has the same length for HEAD as for GET', async () => {
    const [got, asked] = [await ask({}), await ask({}, 'HEAD')];
    expect(asked.headers['content-length']).toBe(got.headers['content-length']);
    expect(String((await text(got)).length)).toBe(got.headers['content-length']);
  });

  it('without rows has a header line', async () => {
    list = wholeOf(0);
    expect(await text(await ask(CSV))).toBe('n\r\n');
  });

  it('of pages is whole when they are put together', async () => {
    list = pagedList('1', 2, async (after, rows) => {
      const first = Number(after);
      const items = [first, first + 1].slice(0, rows);
      return { items, next: first < 5 ? String(first + 2) : null };
    });
    expect(await text(await ask(CSV))).toBe('n\r\n1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n');
  });

  it('answers HEAD without reading all of it', async () => {
    list = wholeOf(1_000);
    const answer = await ask(CSV, 'HEAD');
    expect([answer.statusCode, await text(answer)]).toEqual([200, '']);
    expect(answer.headers['content-length']).toBeUndefined();
    expect(read).toBeLessThanOrEqual(1);
  });
});

describe('a list that cannot be read', () => {
  it('from the first row on is a problem', async () => {
    list = wholeOf(3, 1);
    const answer = await ask(CSV);
    expect(answer.statusCode).toBe(500);
    expect(JSON.parse(await text(answer))).toMatchObject({ code: 'internal' });
  });

  it('to its end breaks the connection off, and is logged with the id of the request', async () => {
    list = wholeOf(3, 3);
    const answer = await ask(CSV);
    await expect(text(answer)).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(errors).toMatchObject([
      { message: 'An answer broke off.', requestId: answer.headers['request-id'] },
    ]);
  });
});

describe('a client', () => {
  it('that reads slowly stops the reading of further rows', async () => {
    [list, shown] = [wholeOf(600), WIDE];
    const asked = get(url, { headers: CSV, agent: false });
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    let before = -1;
    await waitFor('no further row is read', () => {
      const stands = read === before && read > 0;
      before = read;
      return stands;
    });
    expect(read).toBeLessThan(300);
    expect((await text(answer)).length).toBeGreaterThan(600 * 100_000);
    expect(read).toBe(600);
  });

  it('that goes away ends the reading, and nothing is logged', async () => {
    [list, shown] = [wholeOf(600), WIDE];
    const asked = get(url, { headers: CSV, agent: false });
    await once(asked, 'response');
    asked.destroy();
    await waitFor('the reading ends', () => ended);
    expect(read).toBeLessThan(600);
    expect(errors).toEqual([]);
  });
});
