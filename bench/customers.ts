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

/** Opens accounts that nothing will ever limit. Answers an API key of each. */
export async function openCustomers(
  adminUrl: string,
  adminToken: string,
  count: number,
): Promise<string[]> {
  const apiKeys: string[] = [];
  while (apiKeys.length < count) {
    const name = `Customer ${apiKeys.length + 1}`;
    const accounts = `${adminUrl}/admin/v1/accounts`;
    const { id } = await created(accounts, adminToken, { name, rate_limit: RATE_LIMIT });
    const account = `${accounts}/${String(id)}`;
    await created(`${account}/grants`, adminToken, { credits: CREDITS, kind: 'purchased' });
    const { key } = await created(`${account}/api-keys`, adminToken, { label: name });
    apiKeys.push(String(key));
  }
  return apiKeys;
}
