import { Button, Group } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { useState } from 'react';
import { CopyText } from '../ui/copy-text.js';
import { ProblemNotice } from '../ui/notice.js';
import { Page, Panel } from '../ui/page.js';
import { failureOf } from './failure.js';
import { FIRST_PAGE } from './first-page.js';
import css from './frame.module.css';

/** The page of an error: what happened in words, a way back, and a reference to quote. */
export function PageFailed({ error }: ErrorComponentProps) {
  const [at] = useState(() => new Date().toISOString());
  const place = { address: location.href, at, browser: navigator.userAgent };
  const { reference, details } = failureOf(error, place);
  return (
    <Page title="Something went wrong">
      <ProblemNotice error={error} />
      <Group gap="sm">
        <Button onClick={() => location.reload()}>Reload the page</Button>
        {/* A whole new page: nothing of what has failed is kept. */}
        <Button component="a" href={FIRST_PAGE} variant="default">
          Back to the first page
        </Button>
      </Group>
      <Panel title="If it comes again">
        <p>Send this reference or the details to whoever runs the service.</p>
        <CopyText value={reference} what="the reference" />
        <details className={css.details}>
          <summary>Details</summary>
          <CopyText value={details} what="the details" />
        </details>
      </Panel>
    </Page>
  );
}
