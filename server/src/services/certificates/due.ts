import { X509Certificate } from 'node:crypto'

/** What is to be known of a certificate that is there. */
export interface CertificateState {
  readonly validTo: Date
  /** Whether an authority has made it, and not this instance. */
  readonly isTrusted: boolean
  /** From when on it should be renewed; at once where it does not fit. */
  readonly renewAt: Date
}

const dayMs = 86_400_000

/**
 * Reads the first certificate of a PEM text.
 *
 * @param names the host names that it must be for
 * @param renewDays days before its end from which it is renewed; a third of its life, where that is less
 */
export function readState(pem: string, names: readonly string[], renewDays: number): CertificateState {
  const certificate = new X509Certificate(pem)
  const [from, to] = [certificate.validFrom, certificate.validTo].map((text) => new Date(text).getTime())
  if (from === undefined || to === undefined) throw new TypeError('A certificate begins and ends.')
  const isTrusted = !certificate.checkIssued(certificate)
  const fits = isTrusted && names.every((name) => certificate.checkHost(name, { subject: 'never' }) !== undefined)
  const beforeMs = Math.min(renewDays * dayMs, (to - from) / 3)
  return { validTo: new Date(to), isTrusted, renewAt: new Date(fits ? to - beforeMs : from) }
}
