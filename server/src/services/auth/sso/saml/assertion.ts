import { allNamed, attributeOf, childrenNamed, type Element, instantOf, namespaces, parseXml, textOf } from './xml.ts'

export interface AssertionAttribute {
  readonly name: string
  readonly friendlyName: string | null
  readonly values: readonly string[]
}

/** One way the bearer of an assertion may be known (SAML Core §2.4.1.1). */
export interface Confirmation {
  readonly method: string | null
  readonly recipient: string | null
  readonly inResponseTo: string | null
  readonly notBefore: Date | null
  readonly notOnOrAfter: Date | null
}

/** The statements of an assertion (SAML Core §2.3.3). */
export interface Assertion {
  readonly id: string
  readonly issuer: string
  readonly nameId: { readonly value: string; readonly format: string | null } | null
  readonly confirmations: readonly Confirmation[]
  readonly notBefore: Date | null
  readonly notOnOrAfter: Date | null
  /** The audiences of each restriction; it must be met by every one. */
  readonly audiences: readonly (readonly string[])[]
  /** When the provider's own session ends. */
  readonly sessionNotOnOrAfter: Date | null
  readonly attributes: readonly AssertionAttribute[]
}

/**
 * Reads an assertion.
 *
 * @param xml the bytes that were signed, and nothing around them
 * @throws Error when it is none
 */
export function parseAssertion(xml: string): Assertion {
  const { assertion } = namespaces
  const root = parseXml(xml)
  if (root.namespaceURI !== assertion || root.localName !== 'Assertion') throw new Error('It is no assertion.')
  if (attributeOf(root, 'Version') !== '2.0') throw new Error('It is not of SAML 2.0.')
  const child = (parent: Element | undefined, name: string): readonly Element[] =>
    parent === undefined ? [] : childrenNamed(parent, assertion, name)
  const only = (parent: Element | undefined, name: string): Element | undefined => {
    const found = child(parent, name)
    if (found.length > 1) throw new Error(`${name} is there twice.`)
    return found[0]
  }
  const subject = only(root, 'Subject')
  const nameId = only(subject, 'NameID')
  const conditions = only(root, 'Conditions')
  const sessionEnds = child(root, 'AuthnStatement')
    .map((statement) => instantOf(statement, 'SessionNotOnOrAfter'))
    .filter((instant): instant is Date => instant !== null)
  return {
    id: attributeOf(root, 'ID') ?? '',
    issuer: textOf(only(root, 'Issuer')),
    nameId: nameId === undefined ? null : { value: textOf(nameId), format: attributeOf(nameId, 'Format') },
    confirmations: child(subject, 'SubjectConfirmation').map((confirmation): Confirmation => {
      const data = only(confirmation, 'SubjectConfirmationData')
      return {
        method: attributeOf(confirmation, 'Method'),
        recipient: attributeOf(data, 'Recipient'),
        inResponseTo: attributeOf(data, 'InResponseTo'),
        notBefore: instantOf(data, 'NotBefore'),
        notOnOrAfter: instantOf(data, 'NotOnOrAfter'),
      }
    }),
    notBefore: instantOf(conditions, 'NotBefore'),
    notOnOrAfter: instantOf(conditions, 'NotOnOrAfter'),
    audiences: child(conditions, 'AudienceRestriction').map((restriction) =>
      child(restriction, 'Audience').map(textOf),
    ),
    sessionNotOnOrAfter: sessionEnds[0] ?? null,
    attributes: child(root, 'AttributeStatement')
      .flatMap((statement) => child(statement, 'Attribute'))
      .map((attribute) => ({
        name: attributeOf(attribute, 'Name') ?? '',
        friendlyName: attributeOf(attribute, 'FriendlyName'),
        values: child(attribute, 'AttributeValue').map(textOf),
      })),
  }
}

/** The response around an assertion, before its signature is checked. */
export interface ResponseEnvelope {
  readonly issuer: string
  readonly inResponseTo: string | null
  readonly destination: string | null
  readonly status: string | null
  /** The algorithms of its signatures, where they are not encrypted. */
  readonly algorithms: readonly string[]
}

/** Reads a response's outside; nothing of it is signed for certain. @throws Error when it is none */
export function parseEnvelope(xml: string): ResponseEnvelope {
  const root = parseXml(xml)
  const { protocol, assertion } = namespaces
  if (root.namespaceURI !== protocol || root.localName !== 'Response') throw new Error('It is no response.')
  const [status] = childrenNamed(root, protocol, 'Status')
  const [statusCode] = status === undefined ? [] : childrenNamed(status, protocol, 'StatusCode')
  return {
    issuer: textOf(childrenNamed(root, assertion, 'Issuer')[0]),
    inResponseTo: attributeOf(root, 'InResponseTo'),
    destination: attributeOf(root, 'Destination'),
    status: attributeOf(statusCode, 'Value'),
    algorithms: signatureAlgorithmsOf(root),
  }
}

/** Every algorithm that a signature in a document, or a digest of one, was made with. */
export function signatureAlgorithmsOf(root: Element): readonly string[] {
  const { signature } = namespaces
  const references = allNamed(root, signature, 'Reference')
  return [
    ...allNamed(root, signature, 'SignatureMethod'),
    ...references.flatMap((reference) => childrenNamed(reference, signature, 'DigestMethod')),
  ].map((element) => attributeOf(element, 'Algorithm') ?? '')
}
