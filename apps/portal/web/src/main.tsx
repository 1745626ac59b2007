import '@mantine/core/styles.css';
import './theme/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { PortalApp } from './portal/portal-app.js';
import { adoptTheme } from './theme/theme.js';

adoptTheme();
const root = document.getElementById('root');
if (root === null) throw new Error('The page lacks its root.');
createRoot(root).render(
  <StrictMode>
    <PortalApp />
  </StrictMode>,
);
