import type { Assertion, Confirmation, ResponseEnvelope } from './assertion.ts'

/** The values that an assertion must have. */
export interface AssertionRules {
  /** The issuer that it must have. */
  readonly idpEntityId: string
  /** The audience that it must name. */
  readonly entityId: string
  /** Where it must have been sent. */
  readonly acsUrl: string
  /** The request it must answer; null when the provider began. */
  readonly requestId: string | null
  readonly now: Date
  readonly clockSkewSeconds: number
}

const success = 'urn:oasis:names:tc:SAML:2.0:status:Success'
const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'
// SHA-1 is broken for signatures, and nothing below 256 bits is made any more.
const strongAlgorithms = new Set([
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha384',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
  'http://www.w3.org/2001/04/xmlenc#sha256',
  'http://www.w3.org/2001/04/xmldsig-more#sha384',
  'http://www.w3.org/2001/04/xmlenc#sha512',
])

/** The fault of a response's envelope; null when there is none (SAML Core §3.2.2, SAML Bindings §3.5.5.2). */
export function faultOfEnvelope(
  envelope: ResponseEnvelope,
  { acsUrl, requestId }: Pick<AssertionRules, 'acsUrl' | 'requestId'>,
): string | null {
  if (envelope.status !== success) return `the provider answered ${envelope.status ?? 'without a status'}`
  if (envelope.destination !== null && envelope.destination !== acsUrl) return 'the response is for another address'
  if (envelope.inResponseTo !== requestId) return 'the response answers another request'
  return faultOfAlgorithms(envelope.algorithms)
}

/** The fault of signature algorithms; null when there is none. */
export function faultOfAlgorithms(algorithms: readonly string[]): string | null {
  const weak = algorithms.find((algorithm) => !strongAlgorithms.has(algorithm))
  return weak === undefined ? null : `it is signed with ${weak.slice(0, 100)}, which is not strong enough`
}

/** The fault of an assertion whose signature is good; null when there is none (SAML Profiles §4.1.4.3). */
export function faultOfAssertion(assertion: Assertion, rules: AssertionRules): string | null {
  const { idpEntityId, entityId } = rules
  if (assertion.id === '') return 'it has no ID'
  if (assertion.issuer !== idpEntityId) return 'it was made by another provider'
  if (!isTimely(assertion, rules)) return 'it is not valid at this time'
  if (assertion.audiences.length === 0) return 'it has no audience'
  if (!assertion.audiences.every((audiences) => audiences.includes(entityId))) return 'it is for another audience'
  if (!assertion.confirmations.some((confirmation) => confirms(confirmation, rules)))
    return 'no bearer confirmation in it fits this address, request and time'
  return null
}

function confirms(confirmation: Confirmation, rules: AssertionRules): boolean {
  return (
    confirmation.method === bearer &&
    confirmation.recipient === rules.acsUrl &&
    confirmation.inResponseTo === rules.requestId &&
    // SAML Profiles §4.1.4.2: a bearer confirmation has an end, and no beginning.
    confirmation.notOnOrAfter !== null &&
    confirmation.notBefore === null &&
    isTimely(confirmation, rules)
  )
}

function isTimely(
  { notBefore, notOnOrAfter }: Pick<Assertion, 'notBefore' | 'notOnOrAfter'>,
  { now, clockSkewSeconds }: Pick<AssertionRules, 'now' | 'clockSkewSeconds'>,
): boolean {
  const skewMs = clockSkewSeconds * 1000
  const hasBegun = notBefore === null || now.getTime() + skewMs >= notBefore.getTime()
  return hasBegun && (notOnOrAfter === null || now.getTime() - skewMs < notOnOrAfter.getTime())
}

/** When an assertion that was accepted is too old: until then it must be remembered. */
export function acceptableUntil(assertion: Assertion, clockSkewSeconds: number): Date {
  const ends = assertion.confirmations.flatMap(({ notOnOrAfter }) => (notOnOrAfter === null ? [] : [notOnOrAfter]))
  const latest = Math.max(...ends.map((end) => end.getTime()))
  return new Date(latest + clockSkewSeconds * 1000 + 1000)
}
