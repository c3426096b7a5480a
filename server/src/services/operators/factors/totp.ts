import { Secret, TOTP } from 'otpauth'
import { renderSVG } from 'uqr'

/** The secret that an authenticator app scans. */
export interface NewTotp {
  /** Base32, without padding. */
  readonly secret: string
  /** `otpauth://totp/…` */
  readonly uri: string
  /** The uri as an SVG. */
  readonly qrCode: string
}

const periodSeconds = 30
const secretBytes = 20
/** Steps before and after the current one whose codes are accepted (RFC 6238 §5.2): clocks differ, and typing takes time. */
const skew = 1

/** A new secret (RFC 6238: SHA-1, 6 digits, 30 s, which is what every app understands). */
export function createTotp(issuer: string, account: string): NewTotp {
  const totp = describe(new Secret({ size: secretBytes }), issuer, account)
  const uri = totp.toString()
  return { secret: totp.secret.base32, uri, qrCode: renderSVG(uri) }
}

/**
 * The time step of a code; null for a wrong, expired or used one.
 *
 * @param lastStep the step whose code was accepted last: codes of it and of older ones are used
 */
export function matchTotp(secret: string, code: string, now: Date, lastStep: number | null): number | null {
  // The library compares bytes and throws where their number differs.
  if (!/^[0-9]{6}$/.test(code)) return null
  const delta = describe(Secret.fromBase32(secret), '', '').validate({
    token: code,
    timestamp: now.getTime(),
    window: skew,
  })
  if (delta === null) return null
  const step = Math.floor(now.getTime() / 1000 / periodSeconds) + delta
  return lastStep !== null && step <= lastStep ? null : step
}

const describe = (secret: Secret, issuer: string, label: string): TOTP =>
  new TOTP({ secret, issuer, label, algorithm: 'SHA1', digits: 6, period: periodSeconds })
