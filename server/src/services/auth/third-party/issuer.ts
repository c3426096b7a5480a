import { isOwnName } from '../hooks/target.ts'

/** Whether a text is an issuer whose keys may be asked for (OpenID Connect Discovery 1.0 §3; http for loopback names). */
export function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, username, password, search, hash } = new URL(text)
  if (username !== '' || password !== '' || search !== '' || hash !== '') return false
  return protocol === 'https:' || (protocol === 'http:' && isOwnName(hostname))
}

/** Where an issuer describes itself. */
export const discoveryUrl = (issuer: string): string => `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
