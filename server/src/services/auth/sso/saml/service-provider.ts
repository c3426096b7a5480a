import { promisify } from 'node:util'
import { SAML, type SamlConfig, ValidateInResponseTo } from '@node-saml/node-saml'
import { decrypt as decryptXml } from 'xml-encryption'
import type { SsoSettings } from '../settings.ts'
import { signatureAlgorithmsOf } from './assertion.ts'
import { faultOfAlgorithms } from './check-assertion.ts'
import { readSamlKey, type SamlKey } from './keys.ts'
import type { IdpMetadata } from './metadata.ts'
import { allNamed, escapeXml, namespaces, parseXml } from './xml.ts'

/** Ourselves, as providers know us. */
export interface ServiceProvider {
  /** Our name, which is also where our metadata is. */
  readonly entityId: string
  /** Where responses are sent. */
  readonly acsUrl: string
  /** Where a user is sent to sign in: a signed request, by redirect. */
  readonly requestUrl: (
    idp: IdpMetadata,
    request: { readonly id: string; readonly relayState: string; readonly nameIdFormat: string | null },
  ) => Promise<string>
  /**
   * Checks a response's signature and answers the assertion it covers, decrypted where it was encrypted.
   *
   * @param response base64, as posted
   * @throws Error with what is wrong
   */
  readonly verify: (idp: IdpMetadata, response: string) => Promise<string>
  /** Our metadata (SAML Metadata §2.4.4). */
  readonly metadata: (validUntil: Date | null) => string
  readonly isKeyChanging: boolean
}

export const nameIdFormats = {
  persistent: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  emailAddress: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  transient: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
  unspecified: 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
} as const

/**
 * The SAML service provider.
 *
 * @throws TypeError when SAML is on and there is no key
 */
export function createServiceProvider(settings: SsoSettings & { readonly externalUrl: string }): ServiceProvider {
  const { externalUrl, samlPrivateKey, samlPrivateKeyNext, samlAllowEncryptedAssertions } = settings
  if (samlPrivateKey === null) throw new TypeError('SAML is on, and saml_private_key is not set.')
  const { hostname } = new URL(externalUrl)
  const key = readSamlKey(samlPrivateKey, hostname)
  const nextKey = samlPrivateKeyNext === null ? null : readSamlKey(samlPrivateKeyNext, hostname)
  const entityId = `${externalUrl}/sso/saml/metadata`
  const acsUrl = `${externalUrl}/sso/saml/acs`
  const optionsFor = (idp: IdpMetadata, pem: string): SamlConfig => ({
    issuer: entityId,
    audience: entityId,
    callbackUrl: acsUrl,
    entryPoint: idp.signInUrl,
    idpCert: [...idp.certificates],
    privateKey: pem,
    signatureAlgorithm: 'sha256',
    disableRequestedAuthnContext: true,
    // One of the two must be signed; the library takes only what the signature covers.
    wantAuthnResponseSigned: false,
    wantAssertionsSigned: false,
    // Time and request are judged by `check-assertion.ts`, by our clock and the relay state.
    acceptedClockSkewMs: -1,
    validateInResponseTo: ValidateInResponseTo.never,
    ...(samlAllowEncryptedAssertions ? { decryptionPvk: pem } : {}),
  })

  const verifyWith = async (idp: IdpMetadata, response: string, { privateKeyPem }: SamlKey): Promise<string> => {
    // Before the library decrypts, which it does by whatever algorithm the response names.
    const fault = faultOfAlgorithms(await encryptedAlgorithms(response, privateKeyPem))
    if (fault !== null) throw new Error(fault)
    const { profile } = await new SAML(optionsFor(idp, privateKeyPem)).validatePostResponseAsync({
      SAMLResponse: response,
    })
    const xml = profile?.getAssertionXml?.()
    if (xml === undefined) throw new Error('The response holds no assertion.')
    return xml
  }

  return {
    entityId,
    acsUrl,
    isKeyChanging: nextKey !== null,
    requestUrl: (idp, { id, relayState, nameIdFormat }) =>
      new SAML({
        ...optionsFor(idp, key.privateKeyPem),
        identifierFormat: nameIdFormat ?? nameIdFormats.persistent,
        generateUniqueId: () => id,
      }).getAuthorizeUrlAsync(relayState, undefined, {}),
    async verify(idp, response) {
      try {
        return await verifyWith(idp, response, key)
      } catch (error) {
        // A provider may have encrypted for the certificate that was announced.
        if (!samlAllowEncryptedAssertions || nextKey === null) throw error
        return verifyWith(idp, response, nextKey).catch(() => {
          throw error
        })
      }
    },
    metadata: (validUntil) =>
      renderMetadata({
        entityId,
        acsUrl,
        keys: nextKey === null ? [key] : [key, nextKey],
        encrypts: samlAllowEncryptedAssertions,
        validUntil,
      }),
  }
}

/** The algorithms of the signatures inside the encrypted assertions of a response. */
async function encryptedAlgorithms(response: string, key: string): Promise<readonly string[]> {
  const root = parseXml(Buffer.from(response, 'base64').toString())
  const assertions = allNamed(root, namespaces.assertion, 'EncryptedAssertion')
  const documents = await Promise.all(
    assertions.map((assertion) =>
      decrypt(assertion.toString(), { key, disallowDecryptionWithInsecureAlgorithm: true }),
    ),
  )
  return documents.flatMap((document) => signatureAlgorithmsOf(parseXml(document)))
}

const decrypt = promisify(decryptXml)

interface MetadataFacts {
  readonly entityId: string
  readonly acsUrl: string
  readonly keys: readonly SamlKey[]
  readonly encrypts: boolean
  readonly validUntil: Date | null
}

function renderMetadata({ entityId, acsUrl, keys, encrypts, validUntil }: MetadataFacts): string {
  const uses = encrypts ? ['signing', 'encryption'] : ['signing']
  const descriptors = keys.flatMap(({ certificate }) =>
    uses.map(
      (use) =>
        `<KeyDescriptor use="${use}"><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>` +
        `${certificate}</X509Certificate></X509Data></KeyInfo></KeyDescriptor>`,
    ),
  )
  const formats = [nameIdFormats.emailAddress, nameIdFormats.persistent]
  const until = validUntil === null ? '' : ` validUntil="${validUntil.toISOString()}"`
  return [
    `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${escapeXml(entityId)}"${until}>`,
    '<SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol" WantAssertionsSigned="true">',
    ...descriptors,
    ...formats.map((format) => `<NameIDFormat>${format}</NameIDFormat>`),
    '<AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" ' +
      `Location="${escapeXml(acsUrl)}" index="1" isDefault="true"/>`,
    '</SPSSODescriptor>',
    '</EntityDescriptor>',
  ].join('\n')
}
