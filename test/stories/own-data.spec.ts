import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DataFolder } from '../setup/data-folder.js';
import { Program, type Environment } from '../setup/program.js';
import { ADMIN_TOKEN, ask, ServiceClient, type Customer } from '../setup/service.js';
import { freePorts } from '../setup/started-service.js';

const REGIONS = ['de', 'at', 'ch'];
const SOURCES = ['searches', 'shop_visits'];
const ITEM = '00000000-0000-4000-8000-000000000005';
const FILES = {
  'categories.csv': [
    'id,level,label,slug,parent_id,life_cycle',
    '00000000-0000-4000-8000-000000000001,cat1,Tools,tools,,',
    '00000000-0000-4000-8000-000000000002,cat2,Saws,saws,00000000-0000-4000-8000-000000000001,',
    '00000000-0000-4000-8000-000000000003,cat3,Hand,hand,00000000-0000-4000-8000-000000000002,',
    '00000000-0000-4000-8000-000000000004,cat4,Fine,fine,00000000-0000-4000-8000-000000000003,',
    `${ITEM},cat5,Dovetail saw,dovetail-saw,00000000-0000-4000-8000-000000000004,`,
  ],
  'brands.csv': ['id,label,category_id'],
  'relations.csv': ['category_id,group,related_id'],
  'volumes.csv': [
    `item_id,region,month,${SOURCES.join(',')}`,
    `${ITEM},de,2026-09-01,1200,0`,
    `${ITEM},at,2026-09-01,100,50.5`,
  ],
};
const SHARES = SOURCES.map((source) => `${source}_share_percent`);
/** The shares that a document states of a trend item. */
const sharesIn = (schemas: { TrendItem?: { required: string[] } }) =>
  schemas.TrendItem?.required.filter((name) => name.includes('share'));
const trends = (region: string) => `/v1/latest/cat1/trends/top5/popindex/${region}/tools`;

let data: DataFolder;
let env: Environment;
let program: Program;
let service: ServiceClient;
let customer: Customer;
let portalUrl: string;

/** Writes the files of a release, with more rows of volumes, and imports them. */
async function importRelease(...volumes: string[]) {
  const folder = path.join(data.path, 'release');
  await mkdir(folder, { recursive: true });
  for (const [file, lines] of Object.entries(FILES)) {
    const all = file === 'volumes.csv' ? [...lines, ...volumes] : lines;
    await writeFile(path.join(folder, file), `${all.join('\n')}\n`);
  }
  const command = Program.popindex(['release', 'import', folder], env);
  return { code: await command.ended, output: command.stdout + command.stderr };
}

beforeAll(async () => {
  await Program.build();
  data = await DataFolder.make();
  env = { DATA_DIR: data.path, REGIONS: REGIONS.join(','), SOURCES: SOURCES.join(',') };
  const refused = await importRelease(`${ITEM},us,2026-09-01,1,-1`);
  expect(refused.code).toBe(1);
  expect(refused.output).toContain('volumes.csv:4: region: "us" is not one of de, at, ch');
  expect(refused.output).toContain('volumes.csv:4: shop_visits: "-1" is negative');
  expect((await importRelease()).output).toMatch(/^Release r1 serves from window/);
  const ports = await freePorts();
  program = Program.start({ ...env, ...ports, ADMIN_TOKEN, DEMO: 'false', DECIDERS: '1' });
  await program.ready();
  const [api, admin, portal] = [ports.API_PORT, ports.ACCOUNTING_PORT, ports.PORTAL_PORT];
  service = new ServiceClient(`http://127.0.0.1:${api}`, `http://127.0.0.1:${admin}`);
  portalUrl = `http://127.0.0.1:${portal}`;
  customer = await service.customer(1000);
}, 120_000);

afterAll(async () => {
  await program.stop();
  await data.remove();
});

test('a call and a quote name a region of the service', async () => {
  const { data: first, credits_used: used } = (await customer.get(trends('at'))).body;
  const shares = { searches_share_percent: 0.664452, shop_visits_share_percent: 0.335548 };
  expect(first).toMatchObject({
    trends: [{ cat5_label: 'Dovetail saw', popularity: 150.5, ...shares }],
  });
  const { trends: [item] = [] } = first as { trends?: object[] };
  expect(Object.keys(item ?? {}).filter((name) => name.includes('share'))).toEqual(
    Object.keys(shares),
  );
  expect(used).toBe(35);
  const quote = await ask(`${service.apiUrl}${trends('de')}`, customer.apiKey, { method: 'HEAD' });
  expect(quote.headers.get('credits-estimate')).toBe('35');
  const empty = await customer.get(trends('ch'));
  expect(empty.body).toMatchObject({ type: expect.stringMatching(/no-data$/) });
});

test.each(['us', 'global', 'DE'])('a call for %s is refused with the list', async (region) => {
  const { status, body } = await customer.get(trends(region));
  expect(status).toBe(400);
  expect(body['parameters']).toEqual([
    { in: 'path', name: 'region', value: region, allowed: REGIONS },
  ]);
});

test('catalog, sessions and documents list them', async () => {
  const { body: catalog } = await customer.get('/v1/catalog/regions');
  expect(catalog['items']).toEqual([
    { slug: 'de', label: 'Germany' },
    { slug: 'at', label: 'Austria' },
    { slug: 'ch', label: 'Switzerland' },
  ]);
  expect((await service.admin('/session')).body).toMatchObject({
    regions: REGIONS,
    sources: SOURCES,
  });
  for (const url of [service.apiUrl, service.adminUrl, portalUrl]) {
    const response = await fetch(`${url}/openapi.json`);
    const { components } = (await response.json()) as {
      components: { schemas: { TrendItem?: { required: string[] } } };
    };
    expect(components.schemas).toMatchObject({ Region: { type: 'string', enum: REGIONS } });
    if (url === service.apiUrl) expect(sharesIn(components.schemas)).toEqual(SHARES);
  }
});

test('usage is filtered, and a rate card priced, by its regions alone', async () => {
  const usage = `/accounts/${customer.accountId}/usage?region=`;
  expect((await service.admin(`${usage}at`)).body).toMatchObject({ items: [{ calls: 1 }] });
  const wrong = await service.admin(`${usage}us`);
  expect(wrong.body['parameters']).toMatchObject([{ name: 'region', allowed: REGIONS }]);
  const rule = (region: string) => ({ name: region, match: { region }, data_cost: { flat: 1 } });
  const rest = { name: 'rest', match: {}, data_cost: { per_row: 5 } };
  const card = (region: string) => ({
    effective_window: null,
    call_cost: 1,
    rules: [rule(region), rest],
  });
  const refused = await service.admin('/rate-cards', card('us'));
  expect(refused.body['errors']).toEqual([
    { pointer: '/rules/0/match/region', detail: 'Must be one of de, at, ch.' },
  ]);
  expect((await service.admin('/rate-cards', card('ch'))).status).toBe(201);
});

test('a start, and a command, with other regions and sources is refused with a line for each', async () => {
  const line =
    'REGIONS: takes de,at,ch, which this database has served, and more; it lacks de, at, ch\n' +
    'SOURCES: takes searches,shop_visits, with which this database began; it is "google,tiktok,instagram"\n';
  const list = Program.popindex(['release', 'list'], { DATA_DIR: data.path });
  expect([await list.ended, list.stderr]).toEqual([1, line]);
});
