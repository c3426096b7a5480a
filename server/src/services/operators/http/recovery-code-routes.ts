import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { AccessRoutesDeps } from './access-routes-deps.ts'
import { RecoveryCodeList, tags } from './access-schemas.ts'

/** The route that makes new recovery codes. */
export function recoveryCodeRoutes({ access, currentSession }: AccessRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/access/recovery-codes',
      {
        schema: {
          operationId: 'renewRecoveryCodes',
          tags,
          summary: 'New recovery codes in place of the earlier ones',
          response: { 200: Type.Object({ recoveryCodes: RecoveryCodeList }) },
        },
      },
      async (request) => ({ recoveryCodes: [...(await access.recoveryCodes.renew(await currentSession(request)))] }),
    )
  }
}
