import { randomBytes, randomUUID } from 'node:crypto'
import { isUuid } from '../../../ground/ids/uuidv7.ts'
import type { Call } from '../model/call.ts'
import { authError } from '../model/errors.ts'
import { readText } from '../parse/body.ts'
import { parseChallenge } from '../parse/challenge.ts'
import { checkProviderEnabled } from './check-enabled.ts'
import type { SsoDeps } from './deps.ts'
import { ssoError } from './errors.ts'
import { parseMetadata } from './saml/metadata.ts'
import type { ServiceProvider } from './saml/service-provider.ts'
import { insertRelayState } from './store/flows.ts'
import { findProvider, type ProviderName } from './store/providers.ts'

/**
 * `POST /sso` (auth §17): begins a sign-in at an organisation's provider.
 *
 * @returns where the user's browser has to go
 * @throws  validation_failed, sso_provider_not_found, sso_provider_disabled
 */
export async function beginSso(deps: SsoDeps, self: ServiceProvider, call: Call): Promise<string> {
  const { body, context } = call
  const provider = await findProvider(deps.database.for(context), parseName(call))
  if (provider === undefined) throw ssoError('sso_provider_not_found', { message: 'No such SSO provider' })
  checkProviderEnabled(provider)
  const challenge = parseChallenge(body)
  // XML names must not begin with a digit (SAML Core §1.3.4).
  const requestId = `_${randomBytes(20).toString('hex')}`
  // Not one that sorts by time: a guessed one could end another user's sign-in.
  const relayState = randomUUID()
  await deps.database.change(context, (sql) =>
    insertRelayState(
      sql,
      {
        id: relayState,
        providerId: provider.id,
        requestId,
        redirectTo: deps.redirects.choose([readText(body, 'redirect_to'), call.redirectTo]),
      },
      challenge === null ? null : { id: deps.newId(), challenge },
      deps.now(),
    ),
  )
  const { nameIdFormat } = provider
  return self.requestUrl(parseMetadata(provider.metadataXml), { id: requestId, relayState, nameIdFormat })
}

function parseName({ body }: Call): ProviderName {
  const id = readText(body, 'provider_id')
  const domain = readText(body, 'domain')
  if (id !== '' && domain !== '')
    throw authError('validation_failed', { message: 'Only one of provider_id or domain supported' })
  if (id === '' && domain === '')
    throw authError('validation_failed', { message: 'A provider_id or domain needs to be provided' })
  if (id !== '' && !isUuid(id)) throw authError('bad_json', { message: 'provider_id must be a UUID' })
  return id === '' ? { domain } : { id }
}
