/** Whether passkeys can be used here: `address` where the page was opened by an IP address, which browsers bind none to. */
export type PasskeySupport = 'yes' | 'address' | 'no'

export function passkeySupport(): PasskeySupport {
  const known = typeof PublicKeyCredential === 'function' && 'parseCreationOptionsFromJSON' in PublicKeyCredential
  if (!known) return 'no'
  return /^[\d.]+$|:/.test(location.hostname) ? 'address' : 'yes'
}

/** Creates a passkey by the server's options; returns the credential to send back, as JSON. */
export async function createPasskey(options: object): Promise<unknown> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    // The server's options; the browser checks them.
    options as PublicKeyCredentialCreationOptionsJSON,
  )
  return asJson(await navigator.credentials.create({ publicKey }))
}

/** Signs with a passkey by the server's options; returns the credential to send back, as JSON. */
export async function signWithPasskey(options: object): Promise<unknown> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    // The server's options; the browser checks them.
    options as PublicKeyCredentialRequestOptionsJSON,
  )
  return asJson(await navigator.credentials.get({ publicKey }))
}

function asJson(credential: Credential | null): unknown {
  if (credential instanceof PublicKeyCredential) return credential.toJSON()
  throw new Error('The browser returned no passkey.')
}

/** The message for a failed passkey ceremony; browsers do not tell a cancelled one from a timeout. */
export const passkeyProblem = (error: Error): string =>
  error.name === 'NotAllowedError' ? 'The passkey request was cancelled or timed out. Try again.' : error.message
