import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { knownTransports } from './credential.ts'

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isBase64Url = (value: unknown): value is string => typeof value === 'string' && /^[A-Za-z0-9_-]+$/.test(value)

/** Reads what `navigator.credentials.create()` gave, as `toJSON()` writes it; null when it has another shape. */
export function parseAttestation(value: unknown): RegistrationResponseJSON | null {
  const common = parseCommon(value)
  if (common === null) return null
  const { clientDataJSON, attestationObject, transports } = common.response
  if (!isBase64Url(clientDataJSON) || !isBase64Url(attestationObject)) return null
  const names = Array.isArray(transports) ? knownTransports(transports) : []
  return { ...common.names, response: { clientDataJSON, attestationObject, transports: names } }
}

/** Reads what `navigator.credentials.get()` gave. */
export function parseAssertion(value: unknown): AuthenticationResponseJSON | null {
  const common = parseCommon(value)
  if (common === null) return null
  const { clientDataJSON, authenticatorData, signature, userHandle } = common.response
  if (!isBase64Url(clientDataJSON) || !isBase64Url(authenticatorData) || !isBase64Url(signature)) return null
  const handle = isBase64Url(userHandle) ? { userHandle } : {}
  return { ...common.names, response: { clientDataJSON, authenticatorData, signature, ...handle } }
}

function parseCommon(value: unknown) {
  if (!isFields(value) || !isFields(value.response)) return null
  const { id, rawId, type, response } = value
  if (!isBase64Url(id) || (rawId !== undefined && rawId !== id) || type !== 'public-key') return null
  return { names: { id, rawId: id, type, clientExtensionResults: {} } as const, response }
}
