import { Button, CopyButton } from '@mantine/core';
import { Icon } from './icon.js';
import css from './form.module.css';

interface CopyTextProps {
  readonly value: string;
  /** Name of the copied text, for screen readers. */
  readonly what: string;
  /** The copied text; the one that is shown unless given. */
  readonly copied?: string;
}

/** A text as it stands, with a button that copies it. */
export function CopyText({ value, what, copied: text = value }: CopyTextProps) {
  return (
    <div className={css.secret}>
      <code>{value}</code>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Button
            size="compact-sm"
            variant={copied ? 'light' : 'default'}
            leftSection={<Icon name={copied ? 'check' : 'copy'} size={14} />}
            onClick={copy}
            aria-label={copied ? `${what} copied` : `Copy ${what}`}
          >
            {copied ? 'Copied' : 'Copy'}
          </Button>
        )}
      </CopyButton>
    </div>
  );
}
