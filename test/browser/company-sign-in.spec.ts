import { freePort } from '../setup/free-port.js';
import type { Browser } from 'playwright-core';
import { MailServer } from '#deliveries/mail-server.suite.js';
import { waitFor } from '../setup/wait-for.js';
import { CLIENT, TestIdentityProvider } from '../setup/identity-provider.js';
import { Service } from '../setup/service.js';
import { describeInBrowser, START_MS, startBrowser, Visitor } from './browser.js';
import { findings } from './sound-page.js';

const COMPANY = 'Sign in with your company account';

describeInBrowser('people who sign in by themselves', () => {
  let browser: Browser;
  let people: TestIdentityProvider;
  let service: Service;
  let mails: MailServer;
  let portalUrl: string;

  beforeAll(async () => {
    const [admin, portal] = [await freePort(), await freePort()];
    portalUrl = `http://127.0.0.1:${portal}`;
    const callbacks = [`http://127.0.0.1:${admin}`, portalUrl].map((url) => `${url}/oidc/callback`);
    people = await TestIdentityProvider.start(callbacks);
    mails = await MailServer.start();
    const env = {
      SMTP_URL: mails.url,
      MAIL_FROM: 'Popindex <portal@example.com>',
      ACCOUNTING_PORT: String(admin),
      PORTAL_PORT: String(portal),
      OIDC_ISSUER: people.issuer,
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: CLIENT.secret,
    };
    [browser, service] = await Promise.all([startBrowser(), Service.start(env)]);
  }, START_MS);

  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    await people?.stop();
    await mails?.close();
  });

  it('open the console with one click, on the page that they wanted', async () => {
    const visitor = await Visitor.arrive(browser);
    const { page } = visitor;
    people.person = { sub: 'nadja', name: 'Nadja Novak', roles: ['billing'] };
    await page.goto(`${service.adminUrl}/console/invoices`);
    const button = page.getByRole('link', { name: COMPANY });
    await button.waitFor();
    expect(await findings(page)).toEqual([]);
    await button.click();
    await page.getByRole('heading', { level: 1, name: 'Invoices' }).waitFor();
    await page.getByText('Nadja Novak').first().waitFor();
  });

  it('open the portal as members that a manager has added, and go over to another account', async () => {
    for (const name of ['Acme Analytics', 'Bell Research']) {
      const account = await service.admin('/accounts', { name });
      const member = { email: 'nadja@example.com', role: 'manager' };
      await service.admin(`/accounts/${String(account.body['id'])}/members`, member);
    }
    const { page } = await Visitor.arrive(browser);
    people.person = { sub: 'nadja', email: 'nadja@example.com', email_verified: true };
    await page.goto(`${portalUrl}/sessions`);
    await page.getByRole('link', { name: COMPANY }).click();
    await page.getByRole('heading', { level: 1, name: 'Team' }).waitFor();
    const members = page.getByRole('region', { name: 'Members' });
    await members.getByText('nadja@example.com').waitFor();
    await page.getByLabel('E-mail address of a new member').fill('milan@example.com');
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByText('Invitation sent').waitFor();
    await members.getByRole('row', { name: /milan@example.com/ }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByRole('combobox', { name: 'Account' }).selectOption('Bell Research');
    await members.getByRole('row', { name: /milan@example.com/ }).waitFor({ state: 'detached' });
  });

  it('open the portal with a link by e-mail, on the page that they wanted', async () => {
    const account = await service.admin('/accounts', { name: 'Mailed Ltd' });
    const path = `/accounts/${String(account.body['id'])}/members`;
    await service.admin(path, { email: 'mia@example.com' });
    const { page } = await Visitor.arrive(browser);
    await page.goto(`${portalUrl}/invoices`);
    await page.getByLabel('E-mail address').fill('mia@example.com');
    expect(await findings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Send me a link' }).click();
    await page.getByText('Check your mail').waitFor();
    // The demo's account has mails of its own.
    const mail = () =>
      mails.taken.find(
        ({ to, source }) =>
          to.includes('mia@example.com') && source.includes('Subject: Sign in to the portal'),
      );
    await waitFor('the mail', async () => mail() !== undefined);
    const text = mail()?.source.replaceAll(/=\r\n/g, '').replaceAll('=3D', '=') ?? '';
    const [link = ''] = /http:\/\/\S+#sign-in=\S+/.exec(text) ?? [];
    // Looking at it, as programs that scan mails do, signs nobody in.
    for (const time of [1, 2]) {
      const other = await Visitor.arrive(browser);
      await other.page.goto(link);
      await other.page.getByRole('button', { name: 'Sign in' }).waitFor();
      expect([time, await findings(other.page)]).toEqual([time, []]);
    }
    await page.goto(link);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Billing' }).waitFor();
    expect(page.url()).toBe(`${portalUrl}/invoices`);
    const late = await Visitor.arrive(browser);
    await late.page.goto(link);
    await late.page.getByRole('button', { name: 'Sign in' }).click();
    await late.page.getByText('This link was used before.').waitFor();
    expect(await findings(late.page)).toEqual([]);
  });

  it('read why they are not let in', async () => {
    const { page } = await Visitor.arrive(browser);
    people.person = { sub: 'stranger', email: 'stranger@example.com', email_verified: true };
    await page.goto(portalUrl);
    await page.getByRole('link', { name: COMPANY }).click();
    await page.getByText('No account has a member with your verified e-mail address').waitFor();
    expect(await findings(page)).toEqual([]);
    const other = await Visitor.arrive(browser);
    people.person = null;
    await other.page.goto(portalUrl);
    await other.page.getByRole('link', { name: COMPANY }).click();
    await other.page.getByText('The sign-in was refused').waitFor();
  });
});
