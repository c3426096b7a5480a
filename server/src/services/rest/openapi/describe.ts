import type { Session } from '../../../engines/postgres/index.ts'
import { type RestResponse, renderDescriptionResponse } from '../render/response.ts'
import type { RestSettings } from '../settings.ts'
import type { StatementTemplate } from '../template/statement-template.ts'
import type { StatementCall } from '../transaction/session-call.ts'
import { type Described, descriptionStatement } from './description-statement.ts'
import { type ApiAddress, describeApi, parseAddress } from './document.ts'

/**
 * Answers the root with the OpenAPI document of a schema, as far as the caller may know of it.
 *
 * @param address where the service listens; `openapi-server-proxy-uri` overrides it
 */
export async function describeSchema(
  session: Session,
  { request, cache }: StatementTemplate,
  call: StatementCall,
  settings: RestSettings,
  address: ApiAddress,
): Promise<RestResponse> {
  const { openapiMode, openapiSecurityActive: securityActive, openapiServerProxyUri: proxyUri } = settings
  const followsPrivileges = openapiMode === 'follow-privileges'
  const { rows } = await session.run<{ document: string | null }>({
    ...call,
    // Types of the application are named with their schemas where the request's search path does not leave them out.
    settings: followsPrivileges ? call.settings : [...call.settings, ['search_path', '']],
    statement: descriptionStatement(request.schema, followsPrivileges),
  })
  // The statement's own JSON, as `Described` has it.
  const described = JSON.parse(rows[0]?.document ?? '{"comment":null,"relations":[],"functions":[]}') as Described
  const shown = proxyUri === null ? address : parseAddress(proxyUri)
  const text = describeApi({ cache, schema: request.schema, described, address: shown, securityActive })
  return renderDescriptionResponse(request, text)
}
