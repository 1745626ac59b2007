import { ADMIN_TOKEN } from '../setup/service.js';
import { Visitor } from './browser.js';
import type { Entrance } from './stage.js';

/** Somebody before the closed door of the operators' console. */
export async function arriveAtConsole({ browser, service }: Entrance): Promise<Visitor> {
  const visitor = await Visitor.arrive(browser);
  await visitor.page.goto(`${service.adminUrl}/console/`);
  await visitor.page.getByRole('heading', { name: 'Operator’s console' }).waitFor();
  const { pathname } = new URL(`${service.adminUrl}/admin/v1/session`);
  expect(visitor.refusals.splice(0)).toEqual([`401 ${pathname}`]);
  return visitor;
}

/** An operator who has signed in, and stands on the page that opens. */
export async function openConsole(stage: Entrance, token = ADMIN_TOKEN): Promise<Visitor> {
  const visitor = await arriveAtConsole(stage);
  const { page } = visitor;
  await page.getByRole('textbox', { name: 'Admin token', exact: true }).fill(token);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.locator('main#page').getByRole('heading', { level: 1 }).waitFor();
  return visitor;
}
