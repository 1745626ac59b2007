import { Link, type ErrorComponentProps } from '@tanstack/react-router';
import { Page } from '../ui/page.js';
import { Empty, ProblemNotice } from '../ui/notice.js';

export function NotFound() {
  return (
    <Page title="Nothing here">
      <Empty title="There is no page at this address">
        <Link to="/">Back to the first page</Link>
      </Empty>
    </Page>
  );
}

/** Also a page whose code a newer build has replaced: reloading it helps. */
export function PageFailed({ error }: ErrorComponentProps) {
  return (
    <Page title="Something went wrong">
      <ProblemNotice error={error} onRetry={() => location.reload()} />
    </Page>
  );
}
