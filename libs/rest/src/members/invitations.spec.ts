import { MailServer } from '#deliveries/mail-server.suite.js';
import { waitFor } from '../../../../test/setup/wait-for.js';
import { PORTAL, PortalStage } from '../../../../test/setup/portal-stage.js';
import type { AddedMember } from './member.schemas.js';

const DAY = 24 * 3_600_000;

let mails: MailServer;
let mailing: PortalStage;
let bare: PortalStage;

beforeAll(async () => {
  mails = await MailServer.start();
  mailing = await PortalStage.open({
    mail: { smtpUrl: mails.url, from: 'Popindex <portal@example.com>' },
  });
  mailing.admin.deliveries.worker.start();
  bare = await PortalStage.open();
});

afterAll(async () => {
  await mailing.admin.deliveries.worker.stop(1_000);
  await mailing.close();
  await bare.close();
  await mails.close();
});

async function invite(
  stage: PortalStage,
  account: string,
  member: { email: string; role?: string },
  key?: string,
): Promise<AddedMember> {
  const { json } = await stage.admin.post(`/accounts/${account}/members`, member, key);
  return json as unknown as AddedMember;
}

function tokenOf({ invitation }: AddedMember): string {
  const url = new URL(invitation.url ?? '');
  expect(url.href).toMatch(`${PORTAL}/#sign-in=pixmail_`);
  return url.hash.replace('#sign-in=', '');
}

function use(stage: PortalStage, token: string) {
  return stage.ask('POST', '/portal/v1/session/links/use', { body: { token } });
}

function cookieOf(headers: Readonly<Record<string, unknown>>): string {
  return String(headers['set-cookie']).split(';')[0] ?? '';
}

function mailsTo(email: string): readonly string[] {
  return mails.taken
    .filter(({ to }) => to.includes(email))
    .map(({ source }) => source.replaceAll(/=\r\n/g, '').replaceAll('=3D', '='));
}

describe('an invitation by e-mail', () => {
  it('is sent to a new member, holds a link that signs in once, and is not in the answer', async () => {
    const account = await mailing.admin.account();
    const added = await invite(mailing, account, { email: 'a@example.com', role: 'manager' });
    expect(added.invitation).toEqual({ way: 'mail', expires_at: expect.any(String) });
    await waitFor('the mail', async () => mailsTo('a@example.com').length === 1);
    const [mail = ''] = mailsTo('a@example.com');
    expect(mail).toContain('Subject: Invitation to the portal');
    const token = /#sign-in=(\S+)/.exec(mail)?.[1] ?? '';
    const { status, json } = await use(mailing, token);
    expect([status, json]).toMatchObject([200, { account: { id: account }, role: 'manager' }]);
    expect((await use(mailing, token)).json['detail']).toContain('was used before');
  });

  it('is not sent again to a member who has signed in and gets another role', async () => {
    const account = await mailing.admin.account();
    await invite(mailing, account, { email: 'b@example.com' });
    await waitFor('the mail', async () => mailsTo('b@example.com').length === 1);
    await use(mailing, /#sign-in=(\S+)/.exec(mailsTo('b@example.com')[0] ?? '')?.[1] ?? '');
    const added = await invite(mailing, account, { email: 'b@example.com', role: 'manager' });
    expect(added.invitation).toEqual({ way: 'none', expires_at: null });
  });

  it('goes to an address 3 times in 15 minutes at most, whichever account invites', async () => {
    const ways: string[] = [];
    for (let n = 0; n < 4; n += 1) {
      const account = await mailing.admin.account();
      ways.push((await invite(mailing, account, { email: 'c@example.com' })).invitation.way);
    }
    expect(ways).toEqual(['mail', 'mail', 'mail', 'none']);
  });
});

describe('an invitation without a mail server', () => {
  it('is a link to pass on, which signs in the member once with its role', async () => {
    const account = await bare.admin.account();
    const added = await invite(bare, account, { email: 'a@example.com', role: 'viewer' });
    expect(added.invitation).toMatchObject({ way: 'link' });
    const token = tokenOf(added);
    const { status, json } = await use(bare, token);
    expect([status, json]).toMatchObject([200, { role: 'viewer', member: 'a@example.com' }]);
    const again = await use(bare, token);
    expect([again.status, again.json['detail']]).toMatchObject([
      401,
      expect.stringContaining('was used before'),
    ]);
  });

  it('expires after 7 days', async () => {
    const account = await bare.admin.account();
    const [first, second] = [
      tokenOf(await invite(bare, account, { email: 'first@example.com' })),
      tokenOf(await invite(bare, account, { email: 'second@example.com' })),
    ];
    bare.admin.now += 7 * DAY - 1_000;
    expect((await use(bare, first)).status).toBe(200);
    bare.admin.now += 1_000;
    expect((await use(bare, second)).json['detail']).toContain('has expired');
  });

  it('ends with the next one of the member, and with the member', async () => {
    const account = await bare.admin.account();
    const first = tokenOf(await invite(bare, account, { email: 'a@example.com' }));
    const added = await invite(bare, account, { email: 'a@example.com' });
    expect((await use(bare, first)).status).toBe(401);
    await bare.admin.ask('DELETE', `/admin/v1/accounts/${account}/members/${added.id}`);
    expect((await use(bare, tokenOf(added))).status).toBe(401);
  });

  it('is shown to the request that makes it, and to none that repeats it', async () => {
    const account = await bare.admin.account();
    const member = { email: 'a@example.com' };
    const added = await invite(bare, account, member, 'invite-once');
    const repeated = await invite(bare, account, member, 'invite-once');
    expect(repeated.invitation).toEqual({ way: 'link', expires_at: added.invitation.expires_at });
    expect((await use(bare, tokenOf(added))).status).toBe(200);
  });

  it('opens no other account of whoever has the address: nobody proved to have it', async () => {
    const own = await bare.admin.account({ name: 'Of the victim' });
    await invite(bare, own, { email: 'victim@example.com', role: 'manager' });
    const other = await bare.admin.account({ name: 'Of the thief' });
    const added = await invite(bare, other, { email: 'victim@example.com', role: 'manager' });
    const cookie = cookieOf((await use(bare, tokenOf(added))).headers);
    const { json } = await bare.get('/session/accounts', cookie);
    expect(json['items']).toMatchObject([{ account_id: other }]);
    const body = { account_id: own };
    const moved = await bare.ask('PUT', '/portal/v1/session/account', { cookie, body });
    expect(moved.status).toBe(404);
  });

  it('is made by a manager of the account, and by no viewer', async () => {
    const account = await bare.admin.account();
    const body = { email: 'colleague@example.com' };
    const viewer = await bare.post('/members', await bare.signIn(account, 'viewer'), body);
    expect(viewer.status).toBe(403);
    const { status, json } = await bare.post('/members', await bare.signIn(account), body);
    expect([status, (json['invitation'] as { way: string }).way]).toEqual([201, 'link']);
  });

  it('leaves no secret in the log or the rows', async () => {
    const account = await bare.admin.account();
    const added = await invite(bare, account, { email: 'quiet@example.com' });
    const secret = tokenOf(added).split('.')[1] ?? '';
    for (const table of ['event', 'sign_in_link', 'portal_session', 'delivery']) {
      const { rows } = await bare.admin.pool.query<{ row: string }>(
        `select to_json(t)::text as row from ${table} t`,
      );
      expect(rows.map(({ row }) => row).join()).not.toContain(secret);
    }
    const { rows } = await bare.admin.pool.query<{ row: string }>(
      `select to_json(t)::text as row from event t`,
    );
    expect(rows.map(({ row }) => row).join()).not.toContain('quiet@example.com');
  });
});

describe('an invitation where people sign in with the company account', () => {
  it('is no link: the answer says that no mail was sent', async () => {
    const oidc = {
      issuer: 'http://127.0.0.1:1',
      clientId: 'x',
      clientSecret: null,
      roleClaim: 'r',
      emailDomains: [],
    };
    const stage = await PortalStage.open({ oidc });
    const account = await stage.admin.account();
    const signedIn = await stage.signIn(account);
    const { json } = await stage.post('/members', signedIn, { email: 'a@example.com' });
    await stage.close();
    expect(json['invitation']).toEqual({ way: 'company-account', expires_at: null });
  });
});
