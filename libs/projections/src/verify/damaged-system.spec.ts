import { createHash, randomUUID } from 'node:crypto';
import { terms, TUESDAY } from '#account/scenario.suite.js';
import { SYSTEM_ACCOUNT, SYSTEM_LANE } from '#event-log/event-log.js';
import { NOTHING } from '#event-log/fold.js';
import { SystemStream } from '#event-log/system-stream.js';
import { importRelease } from '#popularity/import-release.js';
import { FACE, GOOD_FILES, id as idOf, releaseDirectory } from '#popularity/release-files.suite.js';
import {
  DOCUMENT_FORMATS,
  INVOICE_NUMBERED,
  MEDIA_TYPES,
  SELLER_CHANGED,
} from '../events/number-events.js';
import { saveDocuments } from '../invoices/documents.js';
import { Profiles } from '../texts/profiles.js';
import { allProjections } from '../projections/projections.js';
import { SecretBox } from '../texts/secret-box.js';
import type { Finding } from './findings.js';
import { LANE, OTHER_LANE, SoundLog } from './sound-log.suite.js';
import { verifyLog, type VerifyReport } from '../lane-threads/verify-log.js';

const KEY = 'a-secret-of-at-least-32-characters-0123';
const EMPTY_LANE = 3;
const WEBHOOK = 'of all accounts';
const OF_ACCOUNT = 'of one account';

/** Tables that the damages change, restored after each. */
const TABLES = [
  'lane',
  'event',
  'batch',
  'profile',
  'secret',
  'document',
  'release_load',
  'release_category',
  'release_brand',
  'release_brand_category',
  'release_relation',
  'release_series',
  'release_figure',
];

let log: SoundLog;
let system: SystemStream;

beforeAll(async () => {
  log = await SoundLog.make();
  system = new SystemStream(log.log);
  await append(SELLER_CHANGED, { profile: await profile(SYSTEM_ACCOUNT, { name: 'Index GmbH' }) });
  await append('WebhookCreated', await webhook(WEBHOOK, null));
  await append('WebhookCreated', await webhook(OF_ACCOUNT, log.accountId));
  await append('WebhookCreated', { ...(await webhook('removed', null)), secret: lost() });
  await append('WebhookRemoved', { webhook_id: 'removed' });
  await append('WebhookSecretRotated', { webhook_id: WEBHOOK, secret: await secret() });
  await numberAnInvoice();
  await takeRelease();
  await log.project();
  for (const table of TABLES) await log.pool.query(`create table sound_${table} as table ${table}`);
}, 60_000);

afterEach(async () => {
  await log.pool.query(`truncate ${TABLES.join(', ')}`);
  for (const table of TABLES)
    await log.pool.query(`insert into ${table} select * from sound_${table}`);
  await log.projectAgain();
});

afterAll(() => log.drop());

async function append(type: string, data: object): Promise<void> {
  await system.append(NOTHING, () => ({ callId: null, type, at: TUESDAY, data }));
}

const profile = (accountId: string, body: object) =>
  new Profiles(log.pool).save(randomUUID(), accountId, body);

const lost = () => ({ id: randomUUID(), sha256: '00' });

async function secret(key = KEY): Promise<{ id: string; sha256: string }> {
  const id = randomUUID();
  const body = new SecretBox(key).encrypt(id, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
  const sha256 = createHash('sha256').update(body).digest();
  const values = [id, body, sha256];
  await log.sql('insert into secret (id, body, sha256) values ($1, $2, $3)', values);
  return { id, sha256: sha256.toString('hex') };
}

async function webhook(id: string, accountId: string | null): Promise<object> {
  const note = await profile(accountId ?? SYSTEM_ACCOUNT, { note: 'Our hook' });
  return { webhook_id: id, account_id: accountId, secret: await secret(), profile: note };
}

async function numberAnInvoice(): Promise<void> {
  const bodies = DOCUMENT_FORMATS.map((format) => ({
    accountId: log.accountId,
    mediaType: MEDIA_TYPES[format],
    body: Buffer.from(`an invoice as ${format}`),
  }));
  await saveDocuments(log.pool, bodies);
  const documents = Object.fromEntries(
    DOCUMENT_FORMATS.map((format, index) => [
      format,
      createHash('sha256')
        .update(bodies[index]?.body ?? '')
        .digest('hex'),
    ]),
  );
  const id = randomUUID();
  const of = { id, account_id: log.accountId, lane: LANE, month: '2026-11' };
  const number = { series: 'INV', ordinal: 1, number: 'INV-000001', currency: 'EUR', total: 1 };
  await append(INVOICE_NUMBERED, { ...of, ...number, documents, due_date: '2026-12-15' });
}

async function takeRelease(): Promise<void> {
  const brands = `${GOOD_FILES['brands.csv']}${idOf('b', 2)},Nara,${FACE}\n`;
  const { directory, remove } = await releaseDirectory({ ...GOOD_FILES, 'brands.csv': brands });
  const { pool } = log;
  const clock = { now: () => TUESDAY };
  const dependencies = { pool, stream: system, windows: terms.calendar, clock };
  expect((await importRelease(dependencies, directory)).outcome).toBe('published');
  await remove();
}

const verify = (webhookSecret: string | null = KEY): Promise<VerifyReport> =>
  verifyLog(log.pool, allProjections(terms.calendar), terms, {
    webhookSecret,
    lanes: [SYSTEM_LANE, EMPTY_LANE, LANE, OTHER_LANE],
  });

/** The differences as `check: table`, each with its first finding. */
async function found(key?: string | null): Promise<[string, Finding][]> {
  const { checks } = await verify(key);
  return checks.flatMap(({ check, first }) =>
    first === null ? [] : [[`${check}: ${first.table}`, first] as [string, Finding]],
  );
}

/** The newest secret signs. A cluster changes what every server holds by nothing else. */
const SIGNING = 'select id from secret order by created_at desc limit 1';
const INVOICE_PDF = `where media_type = 'application/pdf'`;

const DAMAGES: Record<string, [sql: string, found: string, place: string]> = {
  'a changed seller': [
    `update profile set body = '{"name":"Another GmbH"}' where body ->> 'name' = 'Index GmbH'`,
    'profiles: profile',
    'named in lane 0 at position 3',
  ],
  'a missing seller': [
    `delete from profile where body ->> 'name' = 'Index GmbH'`,
    'profiles: profile',
    'named in lane 0 at position 3',
  ],
  "a blank description of the system's own webhook": [
    `update profile set body = '{}' where body ->> 'note' is not null and account_id = '${SYSTEM_ACCOUNT}'`,
    'profiles: profile',
    'named in lane 0 at position 4',
  ],
  'a missing secret': [
    `delete from secret where id = (${SIGNING})`,
    'secrets: secret',
    `of webhook ${WEBHOOK}`,
  ],
  'a changed secret': [
    `update secret set body = overlay(body placing '\\x00' from 30) where id = (${SIGNING})`,
    'secrets: secret',
    `of webhook ${WEBHOOK}`,
  ],
  'a secret with another hash beside it': [
    `update secret set sha256 = sha256('') where id = (${SIGNING})`,
    'secrets: secret',
    `of webhook ${WEBHOOK}`,
  ],
  'another media type': [
    `update document set media_type = 'text/html' ${INVOICE_PDF}`,
    'documents: document',
    'named in lane 0 at position 9',
  ],
  'a missing row of a lane': [
    `delete from lane where lane = ${EMPTY_LANE}`,
    'positions: lane',
    `lane ${EMPTY_LANE}`,
  ],
  'a missing row of a lane with events': [
    `delete from lane where lane = ${LANE}`,
    'positions: lane',
    `lane ${LANE}`,
  ],
  'other hashes of the files': [
    `update release_load set sha256 = 'ab'`,
    'releases: release_load',
    'release r1, load 1',
  ],
  'a changed figure': [
    `update release_figure set popularity = popularity + 0.0001
      where (region, item) in (select region, item from release_figure limit 1)`,
    'releases: release_figure',
    'release r1, load 1',
  ],
  'a changed volume': [
    `update release_series set google[1] = google[1] + 1
      where (region, item) in (select region, item from release_series limit 1)`,
    'releases: release_series',
    'release r1, load 1',
  ],
  'a missing relation': [
    `delete from release_relation where ctid in (select ctid from release_relation limit 1)`,
    'releases: release_relation',
    'release r1, load 1',
  ],
  'a changed label of a category': [
    `update release_category set label = label || '!' where first = 1`,
    'releases: release_category',
    'release r1, load 1',
  ],
  'swapped labels of two brands': [
    `update release_brand b set label = o.label from
       (select id, lead(label, 1, label) over (order by id) as label from release_brand) o
      where o.id = b.id`,
    'releases: release_brand',
    'release r1, load 1',
  ],
  'a brand in another category': [
    `update release_brand_category set category = category + 1 where ctid in
      (select ctid from release_brand_category order by category desc limit 1)`,
    'releases: release_brand_category',
    'release r1, load 1',
  ],
};

test('a sound log has no findings, and nothing is left out', async () => {
  expect(await found()).toEqual([]);
  expect((await verify()).notCovered).toEqual([]);
});

test.each(Object.keys(DAMAGES))('%s is found, and the place is named', async (name) => {
  const [sql = '', expected, place] = DAMAGES[name] ?? [];
  await log.sql(sql);
  const differences = new Map(await found());
  expect([...differences.keys()]).toContain(expected);
  expect(differences.get(expected ?? '')?.key).toContain(place);
});

test('microseconds of a moment are found, and the place is named', async () => {
  await log.moveMoment(OTHER_LANE, 5, '7 microseconds');
  const difference = new Map(await found()).get('moments: event');
  expect(difference?.key).toContain(`lane ${OTHER_LANE}, position 5`);
});

test('of an account that was erased the texts of its webhooks may be blank', async () => {
  await log.sql(
    `update profile set body = '{}' where body ->> 'note' is not null and account_id = $1`,
    [log.accountId],
  );
  expect(await found()).toEqual([]);
});

test('a secret that another key has sealed is found only where the key is known', async () => {
  await append('WebhookSecretRotated', { webhook_id: WEBHOOK, secret: await secret(`${KEY}4`) });
  await log.project();
  expect(await found(null)).toEqual([]);
  expect(await found()).toEqual([
    ['secrets: secret', expect.objectContaining({ found: 'It was encrypted with another key.' })],
  ]);
});

test('of a release without digests the rows are counted, and the report says so', async () => {
  await log.sql(
    `update event set data = (data::jsonb - 'tables')::json where type = 'ReleasePublished'`,
  );
  await log.chainAgain(0);
  expect(await found()).toEqual([]);
  expect((await verify()).notCovered).toEqual([expect.stringContaining('release r1')]);
  await log.sql('delete from release_brand where ctid in (select ctid from release_brand limit 1)');
  expect(await found()).toEqual([
    [
      'releases: release_brand',
      expect.objectContaining({ expected: { brands: expect.any(Number) } }),
    ],
  ]);
});
