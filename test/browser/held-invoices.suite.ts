import { TEST_MS } from './browser.js';
import { openConsole } from './console-door.js';
import { fillIn, send } from './forms.js';
import { openPortal } from './portal-door.js';
import type { Stage } from './stage.js';

const ADDRESS = {
  Street: 'Rue de Rivoli 1',
  Postcode: '75001',
  City: 'Paris',
  Country: 'FR',
  'E-mail': 'books@example.com',
};
const PLAN = {
  monthly_fee: 0,
  included_credits: 0,
  price_per_1000_credits: 1_250,
  tax: { category: 'S', rate_percent: 20 },
};

/** Tests of an invoice that lacks the address of the buyer, in the console and the portal. */
export function describeHeldInvoices(stage: Stage): void {
  describe('a purchase whose buyer has no address', () => {
    afterEach(() => stage.clear());

    test(
      'is held, and both sides see why; a manager completes the address, and it is issued',
      async () => {
        const { accountId } = await stage.service.customer(0, { plan: PLAN }, null);
        const visitor = await openConsole(stage);
        const console = `${stage.service.adminUrl}/console/accounts/${accountId}/credits`;
        await visitor.page.goto(console);
        await visitor.page.getByRole('button', { name: 'Grant credits', exact: true }).click();
        const grant = visitor.page.getByRole('dialog', { name: 'Grant credits' });
        await fillIn(grant, { Credits: '100000' });
        await grant.getByRole('textbox', { name: /^Price/ }).fill('120');
        await send(grant, 'Grant');
        const complete = { name: 'Complete the billing details', exact: true };
        await visitor.page.getByText('is held').waitFor();
        await visitor.page.getByRole('button', complete).waitFor();

        const viewer = await openPortal(stage, accountId, 'viewer');
        await viewer.page.goto(new URL('/invoices', viewer.page.url()).href);
        await viewer.page.getByText('A manager of this account can complete them.').waitFor();
        expect(await viewer.page.getByRole('button', complete).count()).toBe(0);

        const manager = await openPortal(stage, accountId);
        await manager.page.getByText('An invoice is held').waitFor();
        await manager.page.goto(new URL('/invoices', manager.page.url()).href);
        await manager.page.getByText(/lack: Street, City, .*Country\./).waitFor();
        await manager.page.getByRole('button', complete).click();
        const form = manager.page.getByRole('dialog', { name: 'Whom invoices are addressed to' });
        await fillIn(form, ADDRESS);
        await send(form, 'Save');
        await manager.page.getByRole('link', { name: /^INV-\d+$/ }).waitFor();
        await manager.page.getByText('is held').waitFor({ state: 'detached' });
        for (const one of [visitor, viewer, manager]) expect(one.complaints).toEqual([]);
      },
      TEST_MS,
    );
  });
}
