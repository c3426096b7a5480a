import { allNamed, attributeOf, childrenNamed, instantOf, namespaces, parseXml, textOf } from './xml.ts'

/** A provider's metadata (SAML Metadata §2.4.3). */
export interface IdpMetadata {
  readonly entityId: string
  /** Where a user is sent to sign in, by redirect. */
  readonly signInUrl: string
  /** Certificates by which its signatures are checked: DER in base64, at least one. */
  readonly certificates: readonly string[]
  readonly validUntil: Date | null
  readonly cacheSeconds: number | null
}

const redirectBinding = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'

/**
 * Reads a provider's metadata.
 *
 * @throws Error with what is wrong, in words for an administrator
 */
export function parseMetadata(xml: string): IdpMetadata {
  const root = parseXml(xml)
  const { metadata } = namespaces
  if (root.namespaceURI !== metadata || root.localName !== 'EntityDescriptor')
    throw new Error('SAML Metadata does not contain an EntityDescriptor')
  const entityId = attributeOf(root, 'entityID')
  if (entityId === null) throw new Error('SAML Metadata does not contain an EntityID')
  const descriptors = childrenNamed(root, metadata, 'IDPSSODescriptor')
  const [descriptor] = descriptors
  if (descriptor === undefined) throw new Error('SAML Metadata does not contain any IDPSSODescriptor')
  if (descriptors.length > 1) throw new Error('SAML Metadata contains multiple IDPSSODescriptors')

  const certificates = childrenNamed(descriptor, metadata, 'KeyDescriptor')
    .filter((key) => attributeOf(key, 'use') !== 'encryption')
    .flatMap((key) => allNamed(key, namespaces.signature, 'X509Certificate'))
    .map((certificate) => textOf(certificate).replace(/\s/g, ''))
  if (certificates.length === 0) throw new Error('SAML Metadata does not contain a signing certificate')
  if (!certificates.every((certificate) => /^[A-Za-z0-9+/]+={0,2}$/.test(certificate)))
    throw new Error('SAML Metadata contains a certificate that is not base64')
  const services = childrenNamed(descriptor, metadata, 'SingleSignOnService')
  const signInUrl = attributeOf(
    services.find((service) => attributeOf(service, 'Binding') === redirectBinding),
    'Location',
  )
  if (signInUrl === null || !/^https?:\/\//i.test(signInUrl) || !URL.canParse(signInUrl))
    throw new Error('SAML Metadata does not contain a SingleSignOnService with the HTTP-Redirect binding')
  return {
    entityId,
    signInUrl,
    certificates,
    validUntil: instantOf(root, 'validUntil'),
    cacheSeconds: parseDuration(attributeOf(root, 'cacheDuration')),
  }
}

/** `PT6H`, `P1D`: days and below of an `xs:duration`, in seconds; null for anything else. */
function parseDuration(text: string | null): number | null {
  const match = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.\d+)?S)?)?$/.exec(text ?? '')
  if (match === null) return null
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part ?? 0))
  return ((days * 24 + hours) * 60 + minutes) * 60 + seconds
}

const dayMs = 86_400_000

/** Whether metadata that was read from an address at an instant should be read again. */
export function isStale(
  { validUntil, cacheSeconds }: Pick<IdpMetadata, 'validUntil' | 'cacheSeconds'>,
  readAt: Date,
  now: Date,
): boolean {
  if (validUntil === null && cacheSeconds === null) return now.getTime() > readAt.getTime() + dayMs
  const isOver = validUntil !== null && now > validUntil
  return isOver || (cacheSeconds !== null && now.getTime() > readAt.getTime() + cacheSeconds * 1000)
}
