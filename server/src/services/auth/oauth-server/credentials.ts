import { equalInConstantTime } from '../../../ground/ids/constant-time.ts'
import { hashToken } from '../../../ground/ids/tokens.ts'
import { isUuid } from '../../../ground/ids/uuidv7.ts'
import type { Body, RequestContext } from '../model/call.ts'
import { authError } from '../model/errors.ts'
import { readText } from '../parse/body.ts'
import type { AuthMethod } from './client.ts'
import type { OAuthServerDeps } from './deps.ts'
import { type ClientRow, findClient } from './store/clients.ts'

/** The credentials of a client's call. */
export interface ClientCredentials {
  readonly id: string
  readonly secret: string
  readonly method: AuthMethod
}

/**
 * Reads a client's credentials: Basic, else the body's (RFC 6749 §2.3.1).
 *
 * @throws invalid_credentials
 */
export function parseCredentials(authorization: string | undefined, body: Body): ClientCredentials {
  const basic = /^basic +(\S+)$/i.exec(authorization ?? '')?.[1]
  if (basic !== undefined) {
    const text = Buffer.from(basic, 'base64').toString()
    const colon = text.indexOf(':')
    if (colon === -1) throw invalidCredentials('invalid basic auth format')
    return {
      id: formDecoded(text.slice(0, colon)),
      secret: formDecoded(text.slice(colon + 1)),
      method: 'client_secret_basic',
    }
  }
  const id = readText(body, 'client_id')
  const secret = readText(body, 'client_secret')
  if (id === '') throw invalidCredentials('client_id is required')
  return { id, secret, method: secret === '' ? 'none' : 'client_secret_post' }
}

/** Both halves are form-encoded before they are joined; clients that leave that out are read all the same. */
function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/**
 * Finds the client and proves it is who it says, in the way it registered for.
 *
 * @throws invalid_credentials
 */
export async function authenticateClient(
  deps: Pick<OAuthServerDeps, 'database'>,
  credentials: ClientCredentials,
  context: RequestContext,
): Promise<ClientRow> {
  const { id, secret, method } = credentials
  if (!isUuid(id)) throw invalidCredentials('invalid client_id format')
  const client = await findClient(deps.database.for(context), id)
  const fits = equalInConstantTime(hashToken(secret), client?.secretHash ?? '')
  if (client === undefined) throw invalidCredentials('unknown client')
  if (client.authMethod !== method)
    throw invalidCredentials(`client is registered for '${client.authMethod}' but '${method}' was used`)
  if (client.type === 'confidential' && !fits) throw invalidCredentials('wrong client_secret')
  return client
}

const invalidCredentials = (why: string): Error =>
  authError('invalid_credentials', { message: `Invalid client credentials: ${why}` })
