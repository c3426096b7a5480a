/** A mail to send. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** What the mail is about (`magic_link`; `sms` for a text message in the inbox), for headers that say so. */
  readonly kind?: string
}

/** Whom mails come from. */
export interface Sender {
  readonly name: string
  readonly address: string
}

export interface Mailer {
  /** Resolves when the mail is accepted for delivery. */
  send(mail: Mail): Promise<void>
}
