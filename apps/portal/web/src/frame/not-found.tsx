import { Link } from '@tanstack/react-router';
import { Page } from '../ui/page.js';
import { Empty } from '../ui/notice.js';

export function NotFound() {
  return (
    <Page title="Nothing here">
      <Empty title="There is no page at this address">
        <Link to="/">Back to the first page</Link>
      </Empty>
    </Page>
  );
}
