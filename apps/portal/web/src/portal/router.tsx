import { createRootRoute, createRoute, createRouter, Navigate } from '@tanstack/react-router';
import { firstOfNextMonth } from '../format/days.js';
import { lazyPage } from '../ui/lazy-page.js';
import { Loading } from '../ui/loaded.js';
import { BASE_PATH } from '../rest/base-path.js';
import { textsIn } from '../frame/texts-in.js';
import { PortalFrame } from './portal-frame.js';
import { readCallsSearch } from '../account/calls/calls-search.js';
import { readExplorerSearch } from './explorer/explorer-search.js';
import { readUsageSearch } from './usage/usage-search.js';
import { NotFound } from '../frame/not-found.js';
import { PageFailed } from '../frame/page-failed.js';
import { OverviewPage } from './overview/overview-page.js';

const root = createRootRoute({ component: PortalFrame, notFoundComponent: NotFound });

const overview = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: OverviewPage,
});

const weeks = createRoute({
  getParentRoute: () => root,
  path: '/weeks',
  component: lazyPage(() => import('./windows/windows-page.js'), 'WeeksPage'),
});

const windows = createRoute({
  getParentRoute: () => root,
  path: '/windows',
  // Where the weeks were, in bookmarks.
  component: () => <Navigate to="/weeks" replace />,
});

const usage = createRoute({
  getParentRoute: () => root,
  path: '/usage',
  validateSearch: readUsageSearch,
  component: lazyPage(() => import('./usage/usage-page.js'), 'UsagePage'),
});

const calls = createRoute({
  getParentRoute: () => root,
  path: '/calls',
  validateSearch: readCallsSearch,
  component: lazyPage(() => import('./calls/calls-page.js'), 'CallsPage'),
});

const refusals = createRoute({
  getParentRoute: () => root,
  path: '/refusals',
  validateSearch: textsIn('code'),
  component: lazyPage(() => import('./refusals/refusals-page.js'), 'RefusalsPage'),
});

const disputes = createRoute({
  getParentRoute: () => root,
  path: '/disputes',
  component: lazyPage(() => import('./disputes/disputes-page.js'), 'DisputesPage'),
});

const reconciliation = createRoute({
  getParentRoute: () => root,
  path: '/reconciliation',
  validateSearch: textsIn('id'),
  component: lazyPage(
    () => import('./reconciliation/reconciliation-page.js'),
    'ReconciliationPage',
  ),
});

const savings = createRoute({
  getParentRoute: () => root,
  path: '/savings',
  validateSearch: textsIn('month'),
  // Where savings were, in bookmarks.
  component: SavingsOfMonth,
});

function SavingsOfMonth() {
  const { month = '' } = savings.useSearch();
  const isMonth = /^\d{4}-(0[1-9]|1[0-2])$/.test(month);
  const range = isMonth ? { from: `${month}-01`, to: firstOfNextMonth(month) } : {};
  return <Navigate to="/usage" search={{ by: 'key', ...range }} replace />;
}

const prices = createRoute({
  getParentRoute: () => root,
  path: '/prices',
  component: lazyPage(() => import('./prices/prices-page.js'), 'PricesPage'),
});

const budgets = createRoute({
  getParentRoute: () => root,
  path: '/budgets',
  component: lazyPage(() => import('./budgets/budgets-page.js'), 'BudgetsPage'),
});

const apiKeys = createRoute({
  getParentRoute: () => root,
  path: '/api-keys',
  component: lazyPage(() => import('./api-keys/api-keys-page.js'), 'ApiKeysPage'),
});

const invoices = createRoute({
  getParentRoute: () => root,
  path: '/invoices',
  component: lazyPage(() => import('./invoices/invoices-page.js'), 'InvoicesPage'),
});

const invoice = createRoute({
  getParentRoute: () => root,
  path: '/invoices/$number',
  component: lazyPage(() => import('./invoices/invoice-page.js'), 'InvoicePage'),
});

const credits = createRoute({
  getParentRoute: () => root,
  path: '/credits',
  component: lazyPage(() => import('./credits/credits-page.js'), 'CreditsPage'),
});

const month = createRoute({
  getParentRoute: () => root,
  path: '/month',
  component: lazyPage(() => import('./invoices/billing-pages.js'), 'MonthPage'),
});

const payments = createRoute({
  getParentRoute: () => root,
  path: '/payments',
  component: lazyPage(() => import('./invoices/billing-pages.js'), 'PaymentsPage'),
});

const statement = createRoute({
  getParentRoute: () => root,
  path: '/statement',
  component: lazyPage(() => import('./invoices/billing-pages.js'), 'StatementPage'),
});

const details = createRoute({
  getParentRoute: () => root,
  path: '/billing',
  component: lazyPage(() => import('./invoices/billing-pages.js'), 'DetailsPage'),
});

const quote = createRoute({
  getParentRoute: () => root,
  path: '/quote',
  // Where quotes were, in bookmarks.
  component: () => <Navigate to="/explorer" search={{ tab: 'quote' }} replace />,
});

const explorer = createRoute({
  getParentRoute: () => root,
  path: '/explorer',
  validateSearch: readExplorerSearch,
  component: lazyPage(() => import('./explorer/explorer-page.js'), 'ExplorerPage'),
});

const webhooks = createRoute({
  getParentRoute: () => root,
  path: '/webhooks',
  component: lazyPage(() => import('./webhooks/webhooks-page.js'), 'WebhooksPage'),
});

const sessions = createRoute({
  getParentRoute: () => root,
  path: '/sessions',
  component: lazyPage(() => import('./sessions/sessions-page.js'), 'SessionsPage'),
});

const categoryDashboard = createRoute({
  getParentRoute: () => root,
  path: '/dashboard/categories/$id',
  validateSearch: textsIn('related', 'country'),
  component: lazyPage(() => import('./dashboards/category-page.js'), 'CategoryPage'),
});

const brandDashboard = createRoute({
  getParentRoute: () => root,
  path: '/dashboard/brands/$id',
  validateSearch: textsIn('country'),
  component: lazyPage(() => import('./dashboards/brand-page.js'), 'BrandPage'),
});

export const router = createRouter({
  routeTree: root.addChildren([
    overview,
    weeks,
    windows,
    usage,
    calls,
    refusals,
    disputes,
    reconciliation,
    savings,
    prices,
    budgets,
    apiKeys,
    invoices,
    invoice,
    credits,
    month,
    payments,
    statement,
    details,
    quote,
    explorer,
    webhooks,
    sessions,
    categoryDashboard,
    brandDashboard,
  ]),
  basepath: BASE_PATH || '/',
  defaultPreload: 'intent',
  defaultPendingComponent: () => <Loading rows={6} />,
  defaultErrorComponent: PageFailed,
  // Restoring the scroll of the library would write an inline script.
  scrollRestoration: false,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
