import { describeInBrowser } from './browser.js';
import { describeAccountActs } from './console-accounts.suite.js';
import { describeBankPage } from './bank-page.suite.js';
import { describeConsolePages } from './console-pages.suite.js';
import { describeRoles } from './console-roles.suite.js';
import { describeServiceActs } from './console-service.suite.js';
import { describeDialogs } from './dialogs.suite.js';
import { describeHeldInvoices } from './held-invoices.suite.js';
import { describeOrders } from './orders.suite.js';
import { describeNewCustomer } from './new-customer.suite.js';
import { Stage } from './stage.js';

describeInBrowser('the operators’ console', () => {
  const stage = Stage.ofFile({ WEBHOOK_ALLOW_PRIVATE: 'true' });
  describeConsolePages(stage);
  describeBankPage(stage);
  describeAccountActs(stage);
  describeNewCustomer(stage);
  describeServiceActs(stage);
  describeRoles(stage);
  describeDialogs(stage);
  describeHeldInvoices(stage);
  describeOrders(stage);
});
