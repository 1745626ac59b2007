import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { formFaults } from '../../rest/problem.js';
import { send } from '../../rest/request.js';
import { portal } from '../../rest/portal.js';
import { FormFaultsNotice } from '../../ui/form-faults.js';
import form from '../../ui/form.module.css';
import { Panel } from '../../ui/page.js';
import { QuoteTable } from '../explorer/quote-table.js';

const EXAMPLE = '/v1/latest/cat1/trends/top5/popindex/us/beauty';

/** The price of one URL, now and from next Tuesday on. It is free. */
export function TryUrl() {
  const [url, setUrl] = useState('');
  const quote = useMutation({
    mutationFn: () => send(portal.quote(), { urls: [url.trim()] }),
  });
  const faults = formFaults(quote.error, ['urls']);
  return (
    <>
      <Panel title="What does a URL cost?" aside="free">
        <form
          className={form.form}
          onSubmit={(event) => {
            event.preventDefault();
            quote.mutate();
          }}
        >
          <TextInput
            label="URL"
            placeholder={EXAMPLE}
            spellCheck={false}
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
            error={faults.fields.urls}
          />
          <div>
            <Button
              type="submit"
              variant="default"
              loading={quote.isPending}
              disabled={url.trim() === ''}
            >
              Ask for the price
            </Button>
          </div>
        </form>
        <FormFaultsNotice faults={faults} />
      </Panel>
      {quote.data && <QuoteTable quote={quote.data} />}
    </>
  );
}
