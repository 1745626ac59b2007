import { Button, Modal } from '@mantine/core';
import { CopyText } from './copy-text.js';
import { Notice } from './notice.js';
import css from './form.module.css';

interface SecretModalProps {
  readonly title: string;
  readonly what: string;
  /** Null: nothing to show. */
  readonly secret: string | null;
  readonly onClose: () => void;
}

/** A secret that is shown this once: only the button that says it is stored closes it. */
export function SecretModal({ title, what, secret, onClose }: SecretModalProps) {
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
          It is shown this once. Whoever loses it makes a new one.
        </Notice>
        <CopyText value={secret ?? ''} what={what} />
        <Button onClick={onClose}>I have stored it</Button>
      </div>
    </Modal>
  );
}
