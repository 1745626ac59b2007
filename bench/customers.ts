const CREDITS = 1_000_000_000_000;
const RATE_LIMIT = { per_second: 1_000_000, burst: 1_000_000 };

async function created(
  url: string,
  adminToken: string,
  body: object,
): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (response.status !== 201) throw new Error(`${url}: ${response.status} ${text}`);
  return JSON.parse(text) as Record<string, unknown>;
}

/** Opens accounts that nothing will ever limit. Answers their API keys, account by account. */
export async function openCustomers(
  adminUrl: string,
  adminToken: string,
  count: number,
  keysOfEach = 1,
): Promise<string[]> {
  const apiKeys: string[] = [];
  for (let number = 1; number <= count; number += 1) {
    const name = `Customer ${number}`;
    const accounts = `${adminUrl}/admin/v1/accounts`;
    const { id } = await created(accounts, adminToken, { name, rate_limit: RATE_LIMIT });
    const account = `${accounts}/${String(id)}`;
    await created(`${account}/grants`, adminToken, { credits: CREDITS, kind: 'promotional' });
    for (let key = 1; key <= keysOfEach; key += 1) {
      const label = `${name}, key ${key}`;
      apiKeys.push(String((await created(`${account}/api-keys`, adminToken, { label }))['key']));
    }
  }
  return apiKeys;
}
