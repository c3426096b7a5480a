import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { SignedXml } from 'xml-crypto'
import { createCertificate } from '../src/services/auth/sso/saml/certificate.ts'
import { escapeXml } from '../src/services/auth/sso/saml/xml.ts'

const formats = {
  persistent: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  email: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  transient: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
} as const

/** What a response says; what is not given is right for the service of `startAuth`. */
export interface ResponseParts {
  /** The request that is answered; null for a response that nobody asked for. */
  readonly requestId: string | null
  readonly id?: string
  readonly issuer?: string
  readonly nameId?: string
  readonly nameIdFormat?: keyof typeof formats
  /** By name; null instead of a subject. */
  readonly attributes?: Readonly<Record<string, readonly string[]>>
  readonly audience?: string | null
  readonly recipient?: string
  readonly destination?: string
  readonly method?: string
  readonly subjectRequestId?: string
  readonly status?: string
  readonly notBefore?: Date
  readonly notOnOrAfter?: Date
  readonly sessionNotOnOrAfter?: Date
  /** What is signed; `assertion` where nothing is said. */
  readonly signed?: 'assertion' | 'response' | 'both' | 'nothing'
  readonly weak?: boolean
  readonly version?: string
}

/** An identity provider that says whatever a test wants, signed with its key. */
export interface Idp {
  readonly entityId: string
  readonly metadata: (more?: { readonly key?: KeyObject; readonly attributes?: string }) => string
  /** A response as XML. */
  readonly respond: (parts: ResponseParts) => string
}

export const newKey = (): KeyObject => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey

const key = newKey()
const serviceUrl = 'http://127.0.0.1:54321/auth/v1/sso/saml'
let made = 0

/** Makes a provider; all of a run share a key, for making one takes a while. */
export function createIdp(entityId = 'https://idp.example/metadata', signingKey: KeyObject = key): Idp {
  return {
    entityId,
    metadata: ({ key: shown = signingKey, attributes = '' } = {}) => `<?xml version="1.0"?>
      <md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${escapeXml(entityId)}" ${attributes}>
        <md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
          <md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data>
            <ds:X509Certificate>${createCertificate(shown, createPublicKey(shown), 'idp.example').toString('base64')}</ds:X509Certificate>
          </ds:X509Data></ds:KeyInfo></md:KeyDescriptor>
          <md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect"
            Location="https://idp.example/login?tenant=1"/>
        </md:IDPSSODescriptor>
      </md:EntityDescriptor>`,
    respond(parts) {
      const { signed = 'assertion', weak = false } = parts
      const xml = responseXml(entityId, parts)
      const once = signed === 'assertion' || signed === 'both' ? signXml(xml, 'Assertion', signingKey, weak) : xml
      return signed === 'response' || signed === 'both' ? signXml(once, 'Response', signingKey, weak) : once
    },
  }
}

/** A response as its form field. */
export const encoded = (xml: string): string => Buffer.from(xml).toString('base64')

function responseXml(entityId: string, parts: ResponseParts): string {
  const now = Date.now()
  made += 1
  const {
    id = `_assertion-${made}`,
    requestId,
    issuer = entityId,
    nameId = 'ann',
    nameIdFormat = 'persistent',
    attributes = { mail: ['ann@corp.example'] },
    audience = `${serviceUrl}/metadata`,
    recipient = `${serviceUrl}/acs`,
    destination = `${serviceUrl}/acs`,
    method = 'bearer',
    subjectRequestId = requestId,
    status = 'Success',
    notBefore = new Date(now - 60_000),
    notOnOrAfter = new Date(now + 300_000),
    sessionNotOnOrAfter,
    version = '2.0',
  } = parts
  const instant = new Date(now).toISOString()
  const answers = (request: string | null): string => (request === null ? '' : ` InResponseTo="${escapeXml(request)}"`)
  const session = sessionNotOnOrAfter === undefined ? '' : ` SessionNotOnOrAfter="${sessionNotOnOrAfter.toISOString()}"`
  const attribute = ([name, values]: readonly [string, readonly string[]]): string =>
    `<saml:Attribute Name="${escapeXml(name)}">${values
      .map((value) => `<saml:AttributeValue>${escapeXml(value)}</saml:AttributeValue>`)
      .join('')}</saml:Attribute>`
  return (
    `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_response-${made}" Version="2.0" IssueInstant="${instant}" Destination="${escapeXml(destination)}"${answers(requestId)}>` +
    `<saml:Issuer>${escapeXml(issuer)}</saml:Issuer>` +
    `<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:${status}"/></samlp:Status>` +
    `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${escapeXml(id)}" Version="${version}" IssueInstant="${instant}">` +
    `<saml:Issuer>${escapeXml(issuer)}</saml:Issuer>` +
    `<saml:Subject><saml:NameID Format="${formats[nameIdFormat]}">${escapeXml(nameId)}</saml:NameID>` +
    `<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:${method}"><saml:SubjectConfirmationData${answers(subjectRequestId)} Recipient="${escapeXml(recipient)}" NotOnOrAfter="${notOnOrAfter.toISOString()}"/></saml:SubjectConfirmation></saml:Subject>` +
    `<saml:Conditions NotBefore="${notBefore.toISOString()}" NotOnOrAfter="${notOnOrAfter.toISOString()}">` +
    (audience === null
      ? ''
      : `<saml:AudienceRestriction><saml:Audience>${escapeXml(audience)}</saml:Audience></saml:AudienceRestriction>`) +
    '</saml:Conditions>' +
    `<saml:AuthnStatement AuthnInstant="${instant}"${session}><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>` +
    `<saml:AttributeStatement>${Object.entries(attributes).map(attribute).join('')}</saml:AttributeStatement>` +
    '</saml:Assertion></samlp:Response>'
  )
}

/** Signs the element of a name, as providers do: enveloped, after its issuer. */
export function signXml(xml: string, name: string, privateKey: KeyObject, weak = false): string {
  const path = name === 'Response' ? `/*[local-name(.)='Response']` : `//*[local-name(.)='${name}']`
  const signature = new SignedXml({
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    signatureAlgorithm: weak
      ? 'http://www.w3.org/2000/09/xmldsig#rsa-sha1'
      : 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    canonicalizationAlgorithm: 'http://www.w3.org/2001/10/xml-exc-c14n#',
  })
  signature.addReference({
    xpath: path,
    digestAlgorithm: weak ? 'http://www.w3.org/2000/09/xmldsig#sha1' : 'http://www.w3.org/2001/04/xmlenc#sha256',
    transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', 'http://www.w3.org/2001/10/xml-exc-c14n#'],
  })
  signature.computeSignature(xml, { location: { reference: `${path}/*[local-name(.)='Issuer']`, action: 'after' } })
  return signature.getSignedXml()
}
