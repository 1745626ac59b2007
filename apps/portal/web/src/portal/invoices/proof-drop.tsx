import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Notice } from '../../ui/notice.js';
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

/** A statement and its calls, proven in this browser: nothing is sent. */
export function ProofDrop() {
  const [isOver, setIsOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const proof = useMutation({ mutationFn: proveFiles });
  const take = (files: FileList | null): void => {
    if (files !== null && files.length > 0) proof.mutate([...files]);
  };
  return (
    <div className={css.proof}>
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
          Drop the statement (JSON) and its calls here, both at once. They are verified in this
          browser; nothing is uploaded.
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
