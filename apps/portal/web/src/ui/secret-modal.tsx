import { Button, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyText } from './copy-text.js';
import { Notice } from './notice.js';
import css from './form.module.css';

interface SecretModalProps {
  readonly title: string;
  readonly what: string;
  /** Null: nothing to show. */
  readonly secret: string | null;
  readonly onClose: () => void;
  /** Instructions about the secret. */
  readonly children?: ReactNode;
}

/** A secret that is shown this once: only the button that says it is stored closes it. */
export function SecretModal({ title, what, secret, onClose, children }: SecretModalProps) {
  return (
    <Modal
      opened={secret !== null}
      onClose={onClose}
      title={title}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      size="lg"
      centered
    >
      <div className={css.form}>
        <Notice tone="warn" title="Copy it now">
          It is shown only now. If you lose it, make a new one.
        </Notice>
        {children !== undefined && <p>{children}</p>}
        <CopyText value={secret ?? ''} what={what} />
        <Button onClick={onClose}>I have stored it</Button>
      </div>
    </Modal>
  );
}
