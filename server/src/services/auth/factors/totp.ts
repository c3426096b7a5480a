import { Secret, TOTP } from 'otpauth'
import { renderSVG } from 'uqr'
import { authError } from '../model/errors.ts'

const periodSeconds = 30
/** Steps before and after the present one whose codes are accepted: clocks differ, and typing takes time. */
const skew = 1
const secretBytes = 20

/** The data for an authenticator app. */
export interface TotpEnrolment {
  /** Base32, without padding. */
  readonly secret: string
  /** `otpauth://totp/…` */
  readonly uri: string
  /** The uri as an SVG. */
  readonly qrCode: string
}

/** The characters that a QR code holds, with some room. */
const maxUriLength = 2_500

/**
 * Makes a new secret (RFC 6238: SHA-1, 6 digits, 30 s, which is what every app understands).
 *
 * @throws validation_failed where issuer and account, percent-encoded, are more than a QR code holds
 */
export function createTotp(issuer: string, account: string): TotpEnrolment {
  const totp = describe(new Secret({ size: secretBytes }), issuer, account)
  const uri = totp.toString()
  if (uri.length > maxUriLength) throw authError('validation_failed', { message: 'issuer is too long for a QR code' })
  return { secret: totp.secret.base32, uri, qrCode: renderSVG(uri) }
}

/**
 * The time step that a code is of, within the skew; null when it is of none of them.
 *
 * @param lastStep the step whose code was accepted last: that one and older ones are used up (RFC 6238 §5.2)
 */
export function matchTotp(secret: string, code: string, now: Date, lastStep: number | null): number | null {
  // The library compares bytes and throws where their number differs.
  if (!/^[0-9]{6}$/.test(code)) return null
  const totp = describe(Secret.fromBase32(secret), '', '')
  const delta = totp.validate({ token: code, timestamp: now.getTime(), window: skew })
  if (delta === null) return null
  const step = Math.floor(now.getTime() / 1000 / periodSeconds) + delta
  return lastStep !== null && step <= lastStep ? null : step
}

const describe = (secret: Secret, issuer: string, label: string): TOTP =>
  new TOTP({ secret, issuer, label, algorithm: 'SHA1', digits: 6, period: periodSeconds })
