import type { ServiceClient } from '../setup/service.js';
import { Visitor } from './browser.js';
import type { Entrance } from './stage.js';

/** A link to the portal of an account, as an operator makes it. */
export async function portalLink(
  service: ServiceClient,
  accountId: string,
  role: 'viewer' | 'manager' = 'manager',
): Promise<string> {
  const { status, body, text } = await service.admin(`/accounts/${accountId}/portal-sessions`, {
    role,
  });
  if (status !== 201) throw new Error(text);
  return String(body['url']);
}

/** Somebody who has opened the portal of an account and stands on its first page. */
export async function openPortal(
  { browser, service }: Entrance,
  accountId: string,
  role: 'viewer' | 'manager' = 'manager',
): Promise<Visitor> {
  const visitor = await Visitor.arrive(browser);
  await visitor.page.goto(await portalLink(service, accountId, role));
  await visitor.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  return visitor;
}
