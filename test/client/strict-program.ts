// Uses the package as a customer's strict program does. A test compiles and runs it where nothing
// but the package is installed.
import {
  createAdminClient,
  createClient,
  etagOf,
  isProblem,
  type Account,
  type Call,
  type DataOf,
  type Page,
  type ProblemCode,
  type TrendsAnswer,
  type WebhookEvent,
} from '@popindex/client';

declare const process: { readonly env: Readonly<Record<string, string | undefined>> };
declare const console: { log(line: string): void };

const { API = '', ADMIN = '', ADMIN_TOKEN = '' } = process.env;
const PATH = '/v1/latest/cat1/trends/top5/popindex/us/beauty';

const admin = createAdminClient({ baseUrl: ADMIN, token: ADMIN_TOKEN, timeoutMs: 60_000 });
const opened: Account = await admin.accounts.open({ name: 'Strict', currency: 'EUR' });
await admin.credits.grant(opened.id, { credits: 1_000, kind: 'promotional' });
const issued = await admin.apiKeys.issue(opened.id, { label: 'strict' });
const client = createClient({ baseUrl: API, apiKey: issued.key ?? '' });

const answer: TrendsAnswer = await client.pull(PATH, { tags: { team: 'nails' } });
const data: DataOf<typeof PATH>['data'] = answer.data;
if (data.trends.length !== 5) throw new Error('There are five trends.');
const balance = (await client.account.get()).balance;
const path: string = PATH;
const again = await client.pull(path);
// Of a path that is a text, `resource` distinguishes the answers.
if (again.resource !== 'trends' || again.data.trends[0] === undefined)
  throw new Error('No trends.');
const label: string = again.data.trends[0].cat5_label;
const { cat1_label: above } = again.data;
if (label === '' || above?.toUpperCase() !== 'BEAUTY') throw new Error('Rows have labels.');

const calls: Call[] = await client.calls.list({ order: 'desc' }).all();
let pages = 0;
const kinds: string[] = [];
for await (const page of client.calls.list({ order: 'desc', limit: 1 }).pages()) {
  const { items }: Page<Call> = page;
  pages += 1;
  kinds.push(...items.map(({ kind }) => kind));
}

async function refusal(): Promise<readonly number[]> {
  const code: ProblemCode = 'out-of-credits';
  try {
    await client.pull('/v1/latest/cat1/trends/all/popindex/us/beauty');
    return [];
  } catch (error) {
    if (!isProblem(error, code)) throw error;
    const { required_credits, available_credits } = error.members;
    return [error.status, required_credits, available_credits];
  }
}

const refused = await refusal();

const address = { line1: 'Ring 1', city: 'Wien', postcode: '1010', country: 'AT' };
const seller = await admin.seller.replace({
  name: 'Index GmbH',
  email: 'a@index.example',
  address,
});
const csv: Response = await client.calls.listAs('text/csv', { limit: 1 });
await admin.apiKeys.revoke(opened.id, issued.id, { reason: 'It has done its work.' });
const [key] = await admin.apiKeys.list(opened.id).all();
if (etagOf(await admin.accounts.get(opened.id)) === '') throw new Error('An account has a tag.');

const threshold = (event: WebhookEvent): number | null =>
  event.type === 'budget.threshold_crossed' ? event.data.threshold : null;

// What does not fit the documents does not compile.
// @ts-expect-error There is no such kind of grant.
const grant = (): unknown => admin.credits.grant(opened.id, { credits: 1, kind: 'gift' });
// @ts-expect-error An account has no such member.
const member = (account: Account): unknown => account.colour;
// @ts-expect-error The month is not optional.
const liability = (): unknown => admin.creditLiability.export();

// @ts-expect-error There is no such code.
const code = (thrown: unknown): boolean => isProblem(thrown, 'insufficient-credits');
// @ts-expect-error Brands have no trends.
const brands = (of: DataOf<'/v1/latest/cat1/brands/all/popindex/gb/beauty'>) => of.data.trends;

console.log(
  JSON.stringify({
    first: answer.credits_used,
    balance,
    calls: calls.map((call) => call.credits_used),
    pages,
    kinds,
    refusal: refused,
    seller: seller.name,
    csv: (await csv.text()).split(',')[0],
    revoked: key?.status,
    unused: [threshold, grant, member, liability, code, brands].length,
  }),
);
