/** A mail to send. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** The kind of mail (`magic_link`; `sms` for a text message in the inbox): `$messageType` in headers. */
  readonly kind?: string
}

/** The sender of a mail. */
export interface Sender {
  readonly name: string
  readonly address: string
}

/** Sends mails. */
export interface Mailer {
  /** Resolves when the mail is accepted for delivery. */
  send(mail: Mail): Promise<void>
}
