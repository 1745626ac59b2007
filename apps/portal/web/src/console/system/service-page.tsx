import { Page } from '../../ui/page.js';
import { useConsoleSession } from '../console-session.js';
import { LivePanels } from './live-panels.js';
import { ProjectionsPanel } from './projections-panel.js';
import { VerificationPanel } from './verification-panel.js';
import { Warnings } from './warnings.js';

/** The process that serves this page: its calls, its tables, and the proof of the log. */
export function ServicePage() {
  const { role } = useConsoleSession();
  return (
    <Page
      title="Service"
      lead="The process that serves this page: its calls, refreshed every two seconds, its tables, and its proof of the log."
    >
      <Warnings />
      <LivePanels />
      {role !== 'data' && (
        <>
          <ProjectionsPanel />
          <VerificationPanel />
        </>
      )}
    </Page>
  );
}
