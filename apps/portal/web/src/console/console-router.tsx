import {
  createRootRoute,
  createRoute,
  createRouter,
  Navigate,
  type AnyRoute,
} from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { NotFound } from '../frame/not-found.js';
import { PageFailed } from '../frame/page-failed.js';
import { BASE_PATH } from '../rest/base-path.js';
import { lazyPage } from '../ui/lazy-page.js';
import { Loading } from '../ui/loaded.js';
import { ConsoleFrame } from './console-frame.js';
import { useMayRead } from './console-session.js';
import { HomePage } from './home/home-page.js';

const root = createRootRoute({ component: ConsoleFrame, notFoundComponent: NotFound });

const account = () => import('./accounts/account-page.js');
const cards = () => import('./rate-cards/rate-cards-page.js');
const invoices = () => import('./invoices/invoices-page.js');

/** A page by its path; everything but the first one is loaded when it is gone to. */
function page<Name extends string>(
  path: string,
  load: () => Promise<Readonly<Record<Name, ComponentType>>>,
  name: Name,
): AnyRoute {
  return createRoute({ getParentRoute: () => root, path, component: lazyPage<Name>(load, name) });
}

/** Where parts of the page of the service were, in bookmarks. */
function moved(path: string): AnyRoute {
  const component = () => <Navigate to={'/service' as string} replace />;
  return createRoute({ getParentRoute: () => root, path, component });
}

/** Whoever may not read accounts begins with releases. */
function FirstPage() {
  return useMayRead()('/') ? <HomePage /> : <Navigate to={'/releases' as string} replace />;
}

const pages: readonly AnyRoute[] = [
  createRoute({ getParentRoute: () => root, path: '/', component: FirstPage }),
  page('/accounts', () => import('./accounts/accounts-page.js'), 'AccountsPage'),
  page('/accounts/new', () => import('./new-customer/new-customer-page.js'), 'NewCustomerPage'),
  page('/accounts/$id', account, 'AccountPage'),
  page('/accounts/$id/$part', account, 'AccountPage'),
  page('/calls', () => import('./calls/calls-page.js'), 'CallsPage'),
  page('/rate-cards', cards, 'RateCardsPage'),
  page('/releases', () => import('./system/releases-page.js'), 'ReleasesPage'),
  page('/invoices', invoices, 'InvoicesPage'),
  page('/invoices/$number', () => import('./invoices/invoice-page.js'), 'InvoicePage'),
  page('/bank', () => import('./invoices/bank-page.js'), 'BankPage'),
  page('/exports', () => import('./invoices/exports-page.js'), 'ExportsPage'),
  page('/seller', () => import('./invoices/seller-page.js'), 'SellerPage'),
  page('/webhooks', () => import('./webhooks/webhooks-page.js'), 'WebhooksPage'),
  page('/disputes', () => import('./disputes/disputes-page.js'), 'DisputesPage'),
  page('/service', () => import('./system/service-page.js'), 'ServicePage'),
  moved('/live'),
  moved('/projections'),
  moved('/verify'),
  page('/refusals', () => import('./refusals/refusals-page.js'), 'RefusalsPage'),
  page('/operators', () => import('./system/operators-page.js'), 'OperatorsPage'),
  page('/audit', () => import('./system/audit-page.js'), 'AuditPage'),
];

export const consoleRouter = createRouter({
  routeTree: root.addChildren([...pages]),
  basepath: `${BASE_PATH}/console`,
  defaultPreload: 'intent',
  defaultPendingComponent: () => <Loading rows={6} />,
  defaultErrorComponent: PageFailed,
  scrollRestoration: false,
});
