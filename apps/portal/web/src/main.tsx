import './theme/mantine.css';
import './theme/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { IS_CONSOLE } from './frame/first-page.js';
import { PortalApp } from './portal/portal-app.js';
import { adoptTheme } from './theme/theme.js';
import { fetchCode } from './ui/lazy-page.js';

/**
 * Draws the pages of operators or of customers, who never load the others': their own stand in the
 * first file. What stands in for something lazy would be drawn for 300 ms at least.
 */
async function draw(root: HTMLElement): Promise<void> {
  const App = IS_CONSOLE
    ? (await fetchCode(() => import('./console/console-app.js'))).ConsoleApp
    : PortalApp;
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}

adoptTheme();
const root = document.getElementById('root');
if (root === null) throw new Error('The page lacks its root.');
void draw(root);
