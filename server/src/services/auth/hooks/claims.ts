import { isObject } from '../../../ground/json/object.ts'
import type { Claims } from '../../../ground/model/caller.ts'
import { authError } from '../model/errors.ts'

type Shape = 'text' | 'whole number' | 'true or false' | 'object' | 'list' | 'text or list'

/** The shapes of a token's claims that other programs rely on; further claims are the project's own. */
const shapes: Readonly<Record<string, Shape>> = {
  aud: 'text or list',
  exp: 'whole number',
  iat: 'whole number',
  sub: 'text',
  email: 'text',
  phone: 'text',
  role: 'text',
  aal: 'text',
  session_id: 'text',
  is_anonymous: 'true or false',
  jti: 'text',
  iss: 'text',
  nbf: 'whole number',
  app_metadata: 'object',
  user_metadata: 'object',
  amr: 'list',
  client_id: 'text',
}

const required = new Set(['aud', 'exp', 'iat', 'sub', 'email', 'phone', 'role', 'aal', 'session_id', 'is_anonymous'])

/**
 * Reads the claims a hook answered with (auth §27).
 *
 * @throws unexpected_failure naming every claim that is missing or has another shape
 */
export function parseClaims(value: unknown): Claims {
  if (value === undefined) throw authError('unexpected_failure', { message: 'output claims field is missing' })
  if (!isObject(value)) throw authError('unexpected_failure', { message: 'output claims field is no object' })
  const problems = Object.entries(shapes).flatMap(([name, shape]) => {
    const claim = Object.hasOwn(value, name) ? value[name] : undefined
    if (claim === undefined) return required.has(name) ? [`(root): ${name} is required`] : []
    return hasShape(claim, shape) ? [] : [`${name}: must be a ${shape}`]
  })
  if (problems.length > 0)
    throw authError('unexpected_failure', {
      message: `output claims do not conform to the expected schema: \n- ${problems.join('\n- ')}`,
    })
  return value
}

function hasShape(claim: unknown, shape: Shape): boolean {
  switch (shape) {
    case 'text':
      return typeof claim === 'string'
    case 'whole number':
      return Number.isSafeInteger(claim)
    case 'true or false':
      return typeof claim === 'boolean'
    case 'object':
      return isObject(claim)
    case 'list':
      return Array.isArray(claim)
    case 'text or list':
      return typeof claim === 'string' || Array.isArray(claim)
    default:
      return shape satisfies never
  }
}
