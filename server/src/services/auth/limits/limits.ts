import type { ServiceError } from '../../../ground/errors/service-error.ts'

/** Bounds guesses beside the counts that each code has of its own. */
export interface BruteForceLimit {
  /**
   * The error for a wrong code: `error`, and after many of them for one contact that they were too many. It is
   * asked about wrong codes only, so a right one never fails for what strangers guessed; and whether there is such a
   * contact plays no part.
   *
   * @param contact an e-mail address or phone number
   */
  errorFor(contact: string, error: ServiceError): ServiceError
  /**
   * Counts a code of an authenticator app: it is not issued, and so cannot be made void.
   *
   * @param from whose guesses are counted together: a place the factor was used from before, or everywhere else
   * @throws     over_request_rate_limit, with the seconds to wait
   */
  countFactor(factorId: string, from: string): void
}

/** Bounds how often one address is sent mails, or one number messages, of one kind. */
export interface ResendCooldown {
  /**
   * For a user whose last mail of the kind went at `sentAt`.
   *
   * @throws over_email_send_rate_limit, over_sms_send_rate_limit
   */
  check(sentAt: Date | null): void
  /**
   * For an address without an account, or whose user gets no mail: throws exactly as often as `check` would, so that the
   * errors do not show which addresses have an account.
   *
   * @throws over_email_send_rate_limit, over_sms_send_rate_limit
   */
  pretend(kind: string, address: string): void
}

/** How many mails or messages the whole project may send in a while (auth §24). */
export interface Quota {
  /**
   * Takes one.
   *
   * @throws over_email_send_rate_limit or over_sms_send_rate_limit when none is left
   */
  spend(): void
  /** Throws as `spend` would and takes none: for calls that only look as if something were sent. */
  check(): void
}

/**
 * Prevents the time of an answer from showing whether an address has an account: a call that has less to do waits until
 * it took as long as one of the calls that lately had everything to do.
 */
export interface TimingEqualizer {
  /** Does what an account's call does, and remembers how long it took. */
  measure<T>(kind: string, action: () => Promise<T>): Promise<T>
  /** Does less, and answers no sooner than the whole would have. */
  equalize<T>(kind: string, action: () => Promise<T>): Promise<T>
}
