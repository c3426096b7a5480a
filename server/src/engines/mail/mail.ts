/** A mail to send. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

export interface Mailer {
  /** Resolves when the mail is accepted for delivery. */
  send(mail: Mail): Promise<void>
}
