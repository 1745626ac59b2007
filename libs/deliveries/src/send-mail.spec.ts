import { MailServer } from './mail-server.suite.js';
import { sendMail } from './send-mail.js';

const FROM = 'Popindex <billing@example.com>';
const MAIL = { subject: 'Nägel: 80 % of a budget is spent', text: 'First line.\nSecond line.\n' };
const ID = '00000000-0000-8000-8000-000000000001';

let mails: MailServer;

beforeEach(async () => {
  mails = await MailServer.start();
});

afterEach(() => mails.close());

function send(address: string, smtpUrl = mails.url) {
  return sendMail({ smtpUrl, from: FROM }, address, MAIL, ID);
}

test('a plain text goes to one address, under an id that stays the same', async () => {
  expect(await send('ada@example.org')).toEqual({ outcome: 'sent' });
  const [mail] = mails.taken;
  expect(mail).toMatchObject({ from: 'billing@example.com', to: ['ada@example.org'] });
  expect(mail?.source).toContain('From: Popindex <billing@example.com>');
  expect(mail?.source).toContain(`Message-ID: <${ID}@example.com>`);
  expect(mail?.source).toContain('Auto-Submitted: auto-generated');
  expect(mail?.source).toMatch(/First line\.\r\nSecond line\.\r\n/);
  expect(mail?.source).not.toContain('text/html');
});

test.each([
  [550, true],
  [553, true],
  [450, false],
  [452, false],
])('an address that is refused with %i is refused for good: %s', async (code, isFinal) => {
  mails.refused.set('ada@example.org', code);
  const detail = `The mail server answered ${code}.`;
  expect(await send('ada@example.org')).toEqual({ outcome: 'unsent', detail, isFinal });
});

test('a refusal is reported without the address', async () => {
  mails.refused.set('ada@example.org', 550);
  expect(JSON.stringify(await send('ada@example.org'))).not.toContain('ada');
});

test.each(['ada@example.org, bob@example.org', 'ada@example.org\r\nBcc: bob@example.org', 'ada'])(
  'what is no single address reaches nobody else: %j',
  async (address) => {
    await send(address);
    expect(mails.taken.flatMap(({ to }) => to).filter((to) => to.includes('bob'))).toEqual([]);
    expect(mails.taken.filter(({ source }) => /^Bcc:/im.test(source))).toEqual([]);
  },
);

test('a server that is away may be there later', async () => {
  const gone = await MailServer.start();
  const { url } = gone;
  await gone.close();
  expect(await send('ada@example.org', url)).toMatchObject({
    outcome: 'unsent',
    detail: expect.stringMatching(/^The mail server did not answer \(\w+\)\.$/),
    isFinal: false,
  });
});
