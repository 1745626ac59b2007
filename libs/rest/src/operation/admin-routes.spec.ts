import { adminDocument } from '#admin-backend/admin-document.js';
import type { Method } from '../../../../test/setup/asked.js';
import { adminStage } from '../../../../test/setup/stages.js';

// What holds for every route there is: the requests are made from the document, so that a new route
// is tried without another line here.

const NOBODY = '0197c000-0000-7000-8000-000000000000';
/** Parameters of paths that are no ids, naming what does not exist. */
const ABSENT: Readonly<Record<string, string>> = {
  number: 'INV-999999',
  line: '1',
  month: '2026-10',
  version: '9',
  name: 'nobody',
  release: 'r9',
};
const QUERIES: Readonly<Record<string, string>> = {
  exportFocus: '?month=2026-10',
  diffRateCards: '?against=8',
};
/** Months and days are there, whatever is known of them. */
const ALWAYS_THERE = ['closePeriod', 'reopenPeriod', 'replaceExchangeRate'];
/** A replay is answered without a look at the budget, so its addresses are kept first. */
const KEEPS_A_TEXT = 'replaceBudget';

const ROUTES = Object.entries(adminDocument('https://api.example.com').paths)
  .filter(([path]) => path.startsWith('/admin/'))
  .flatMap(([path, item]) =>
    Object.entries(item).map(([name, { operationId, requestBody, security }]) => ({
      method: name.toUpperCase() as Method,
      path,
      operationId,
      content: requestBody?.content,
      isOpen: security?.length === 0,
    })),
  );

/** Right requests for what is not there: of an account that is not, and of one that is. */
const UNKNOWN = ROUTES.filter(
  ({ operationId, content }) =>
    !ALWAYS_THERE.includes(operationId) && (content === undefined || 'application/json' in content),
).flatMap((route) =>
  [...new Set([route.path, route.path.replace('{account_id}', '{}')])]
    .filter((path) => /\{\w+\}/.test(path))
    .map((path) => ({ ...route, path })),
);

const stage = adminStage();
let id: string;

beforeAll(async () => {
  id = await stage.account({ test_clock: '2026-11-24T09:00:00Z' });
});

async function texts(): Promise<number | null> {
  return (await stage.pool.query('select from profile')).rowCount;
}

describe('what is not there', () => {
  it('are many requests', () => {
    expect(UNKNOWN.length).toBeGreaterThan(90);
  });

  it.each(UNKNOWN)('is not found: $method $path', async (route) => {
    const { method, path, operationId, content } = route;
    const [before, kept] = [await stage.log.ends(), await texts()];
    const url = path
      .replace('{}', id)
      .replaceAll(/\{(\w+)\}/g, (_, name: string) => ABSENT[name] ?? NOBODY);
    const body = content?.['application/json']?.example;
    const refused = await stage.ask(method, `${url}${QUERIES[operationId] ?? ''}`, { body });
    expect(refused.json).toMatchObject({ status: 404, code: 'not-found' });
    expect(await stage.log.ends()).toEqual(before);
    if (operationId !== KEEPS_A_TEXT) expect(await texts()).toBe(kept);
  });
});

it.each(ROUTES.filter(({ isOpen }) => !isOpen))(
  'without a token $method $path is closed, before a body is looked at',
  async ({ method, path }) => {
    const url = path.replaceAll(/\{\w+\}/g, NOBODY);
    const asked = { authorization: null, ...(method !== 'GET' && { raw: '{"no JSON' }) };
    const { headers, json } = await stage.ask(method, url, asked);
    expect(json).toMatchObject({ status: 401, code: 'unauthenticated' });
    expect(headers['www-authenticate']).toContain('Bearer realm="popindex"');
  },
);
