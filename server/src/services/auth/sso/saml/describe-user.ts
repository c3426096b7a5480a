import type { ProvidedUser } from '../../model/provided-user.ts'
import { profileClaims } from '../../providers/standard-user.ts'
import { ssoError } from '../errors.ts'
import type { Assertion } from './assertion.ts'
import { type AttributeMapping, mapAttributes, valuesOf } from './attribute-mapping.ts'

const subjectIdAttribute = 'urn:oasis:names:tc:SAML:attribute:subject-id'
const emailFormat = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'
const transientFormat = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'
const emailAttributes = [
  'urn:oid:0.9.2342.19200300.100.1.3',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
  'http://schemas.xmlsoap.org/claims/EmailAddress',
  'mail',
  'email',
]

/** Claims that have a place of their own; every other one goes into `custom_claims`. */
const textClaims = new Set<string>([...profileClaims, 'updated_at'])
/** Of these the provider's word is not taken: they are ours to say. */
const ownClaims = new Set(['sub', 'iss', 'aud', 'iat', 'exp', 'email', 'email_verified', 'phone_verified'])

/**
 * Says who an assertion speaks of.
 *
 * @throws saml_assertion_no_user_id, saml_assertion_no_email
 */
export function describeUser(assertion: Assertion, mapping: AttributeMapping): ProvidedUser {
  const subject = subjectOf(assertion)
  if (subject === '') throw ssoError('saml_assertion_no_user_id')
  const mapped = mapAttributes(mapping, assertion.attributes)
  const mappedEmail = mapped.get('email')
  const address = typeof mappedEmail === 'string' && mappedEmail !== '' ? mappedEmail : emailOf(assertion)
  if (address === '') throw ssoError('saml_assertion_no_email')
  const rest = [...mapped].filter(([name]) => !ownClaims.has(name))
  const isNamed = ([name, value]: readonly [string, unknown]): boolean =>
    textClaims.has(name) && typeof value === 'string'
  const custom = rest.filter((claim) => !isNamed(claim))
  return {
    subject,
    emails: [{ address, verified: true, primary: true }],
    claims: {
      iss: assertion.issuer,
      ...Object.fromEntries(rest.filter(isNamed)),
      ...(custom.length === 0 ? {} : { custom_claims: Object.fromEntries(custom) }),
    },
  }
}

/** The lasting id of a user at their provider; empty when there is none, as a transient one changes every time. */
function subjectOf({ attributes, nameId }: Assertion): string {
  const [subjectId] = valuesOf(attributes, subjectIdAttribute)
  if (subjectId !== undefined) return subjectId
  if (nameId === null || nameId.format === transientFormat) return ''
  return nameId.format === emailFormat ? nameId.value.toLowerCase() : nameId.value
}

function emailOf({ attributes, nameId }: Assertion): string {
  const [address] = emailAttributes.flatMap((name) => valuesOf(attributes, name))
  return address ?? (nameId?.format === emailFormat ? nameId.value : '')
}
