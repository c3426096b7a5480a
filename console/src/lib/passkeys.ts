/** Whether passkeys can be used here: `address` where the page was opened by an IP address, which browsers bind none to. */
export type PasskeySupport = 'yes' | 'address' | 'no'

export function passkeySupport(): PasskeySupport {
  const known = typeof PublicKeyCredential === 'function' && 'parseCreationOptionsFromJSON' in PublicKeyCredential
  if (!known) return 'no'
  return /^[\d.]+$|:/.test(location.hostname) ? 'address' : 'yes'
}

/** Has the browser make a passkey, as the server asked; answers what the server is to be sent. */
export async function createPasskey(options: object): Promise<unknown> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    // Made by the server, and checked by the browser.
    options as PublicKeyCredentialCreationOptionsJSON,
  )
  return asJson(await navigator.credentials.create({ publicKey }))
}

/** Has the browser sign with a passkey; answers what the server is to be sent. */
export async function signWithPasskey(options: object): Promise<unknown> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    // Made by the server, and checked by the browser.
    options as PublicKeyCredentialRequestOptionsJSON,
  )
  return asJson(await navigator.credentials.get({ publicKey }))
}

function asJson(credential: Credential | null): unknown {
  if (credential instanceof PublicKeyCredential) return credential.toJSON()
  throw new Error('The browser gave no passkey.')
}

/** What to tell of a failure of the two: browsers say the same of "cancelled" and "took too long". */
export const passkeyProblem = (error: Error): string =>
  error.name === 'NotAllowedError' ? 'The browser was not allowed to, or it took too long. Try again.' : error.message
