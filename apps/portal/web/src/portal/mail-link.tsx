interface MailLinkProps {
  readonly address: string;
  readonly subject: string;
}

/** An address that opens the reader's mail program. */
export function MailLink({ address, subject }: MailLinkProps) {
  return <a href={`mailto:${address}?subject=${encodeURIComponent(subject)}`}>{address}</a>;
}
