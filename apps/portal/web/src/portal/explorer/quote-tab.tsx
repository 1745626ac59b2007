import { Button, Group, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { formFaults } from '../../rest/problem.js';
import { FormFaultsNotice } from '../../ui/form-faults.js';
import { Panel } from '../../ui/page.js';
import css from '../../ui/form.module.css';
import { QuoteTable } from './quote-table.js';
import { portal } from '../../rest/portal.js';
import { send } from '../../rest/request.js';

const EXAMPLE = [
  '/v1/latest/cat1/trends/top5/popindex/us/beauty',
  '/v1/latest/cat2/trends/all/popindex/us/skincare',
].join('\n');

function urlsOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** Prices of URLs now and from next Tuesday on. A quote is free. */
export function QuoteTab() {
  const [text, setText] = useState('');
  const quote = useMutation({
    mutationFn: (urls: readonly string[]) => send(portal.quote(), { urls }),
  });
  const faults = formFaults(quote.error, ['urls']);
  const urls = urlsOf(text);
  return (
    <>
      <Panel>
        <form
          className={css.form}
          onSubmit={(event) => {
            event.preventDefault();
            quote.mutate(urls);
          }}
        >
          <Textarea
            label="URLs, one a line"
            description="What they would cost now, in this order, and from next Tuesday on: free. Paths or whole addresses, at most 1,000."
            placeholder={EXAMPLE}
            autosize
            minRows={4}
            maxRows={14}
            spellCheck={false}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            error={faults.fields.urls}
            styles={MONO}
          />
          <FormFaultsNotice faults={faults} />
          <Group gap="xs">
            <Button type="submit" loading={quote.isPending} disabled={urls.length === 0}>
              Ask for the price
            </Button>
            {text === '' && (
              <Button variant="subtle" onClick={() => setText(EXAMPLE)}>
                Take an example
              </Button>
            )}
          </Group>
        </form>
      </Panel>
      {quote.data && <QuoteTable quote={quote.data} />}
    </>
  );
}

const MONO = { input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } };
