import './theme/mantine.css';
import './theme/base.css';
import { StrictMode, lazy, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { PortalApp } from './portal/portal-app.js';
import { adoptTheme } from './theme/theme.js';

// Customers never load the operator's pages: their own stand in the first file.
const ConsoleApp = lazy(async () => ({
  default: (await import('./console/console-app.js')).ConsoleApp,
}));
const isConsole = /^\/console(?:\/|$)/.test(location.pathname);

adoptTheme();
const root = document.getElementById('root');
if (root === null) throw new Error('The page lacks its root.');
createRoot(root).render(
  <StrictMode>
    {isConsole ? (
      <Suspense>
        <ConsoleApp />
      </Suspense>
    ) : (
      <PortalApp />
    )}
  </StrictMode>,
);
