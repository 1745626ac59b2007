import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { firstOfNextMonth } from '../../format/days.js';
import { portal } from '../../rest/portal.js';
import { download } from '../../rest/request.js';
import { Notice, ProblemNotice } from '../../ui/notice.js';
import type { Proof } from './statement-proof.js';
import css from './proof-drop.module.css';

// Files are read only once some are dropped, and so is the program that looks at them.
const statementProof = () => import('./statement-proof.js');

async function proveFiles(files: readonly File[]): Promise<Proof> {
  const { prove, WrongFilesError } = await statementProof();
  if (globalThis.crypto?.subtle === undefined) {
    throw new WrongFilesError('This browser computes SHA-256 on pages with https only.');
  }
  const dropped = files.map(async (file) => ({
    name: file.name,
    bytes: new Uint8Array(await file.arrayBuffer()),
  }));
  return prove(await Promise.all(dropped));
}

/** The statement of a month and its calls, as they are downloaded. */
async function filesOf(month: string): Promise<readonly File[]> {
  const calls = portal.listCalls({ from: `${month}-01`, to: firstOfNextMonth(month) });
  const [statement, rows] = await Promise.all([
    download(portal.getStatement({ month }), 'application/json'),
    download(calls, 'text/csv'),
  ]);
  return [new File([statement], `statement-${month}.json`), new File([rows], `calls-${month}.csv`)];
}

/** A statement and its calls, proven in this browser: nothing is sent. */
export function ProofDrop({ month }: { readonly month: string }) {
  const [isOver, setIsOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const proof = useMutation({ mutationFn: proveFiles });
  const verify = useMutation({ mutationFn: async () => proof.mutate(await filesOf(month)) });
  const take = (files: FileList | null): void => {
    if (files !== null && files.length > 0) proof.mutate([...files]);
  };
  return (
    <div className={css.proof}>
      <div className={css.verify}>
        <Button
          loading={verify.isPending || proof.isPending}
          onClick={() => {
            proof.reset();
            verify.mutate();
          }}
        >
          Verify {month}
        </Button>
        <p>This browser reads the statement and every call behind it, and works it out again.</p>
      </div>
      {verify.error !== null && <ProblemNotice error={verify.error} />}
      <div
        className={css.drop}
        data-over={isOver || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setIsOver(false);
          take(event.dataTransfer.files);
        }}
      >
        <p>
          Or drop files that you have kept: the statement (JSON) and its calls, both at once.
          Nothing is uploaded.
        </p>
        <Button variant="default" loading={proof.isPending} onClick={() => input.current?.click()}>
          Choose two files
        </Button>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          accept=".json,.csv"
          aria-label="Statement and calls"
          onChange={({ currentTarget }) => {
            take(currentTarget.files);
            currentTarget.value = '';
          }}
        />
      </div>
      {proof.error !== null && (
        <Notice tone="bad" title="These files cannot be verified">
          {proof.error.message}
        </Notice>
      )}
      {proof.data && <Verdict proof={proof.data} />}
    </div>
  );
}

const SHOWN_MAX = 5;

function Verdict({ proof: { month, rules, digests } }: { readonly proof: Proof }) {
  const isIntact = rules.every(({ differences }) => differences.length === 0);
  const isWhole = rules.length > 1;
  return (
    <Notice
      tone={!isIntact ? 'bad' : isWhole ? 'good' : 'warn'}
      title={`The statement of ${month} ${isIntact ? 'holds' : 'does not hold'}.`}
    >
      <ul>
        {rules.map(({ rule, differences }) => (
          <li key={rule}>
            {rule.slice(0, 1).toUpperCase() + rule.slice(1)}:{' '}
            {differences.length === 0 ? 'yes' : 'no'}
            {differences.slice(0, SHOWN_MAX).map((difference) => (
              <div key={difference}>{difference}</div>
            ))}
            {differences.length > SHOWN_MAX && (
              <div>… and {differences.length - SHOWN_MAX} more</div>
            )}
          </li>
        ))}
        {!isWhole && <li>The calls were not looked at: choose them too.</li>}
        {digests.map(({ name, sha256 }) => (
          <li key={name} className={css.digest}>
            SHA-256 of {name}: <code>{sha256}</code>
          </li>
        ))}
      </ul>
    </Notice>
  );
}
