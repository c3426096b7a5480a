import { equalInConstantTime } from '../../ground/ids/constant-time.ts'
import { createOtlp, type Otlp, type OtlpDeps, otlpService } from '../../services/otlp/index.ts'
import type { ComposeInput } from '../instance.ts'
import type { Add } from '../shared.ts'
import { keptTables } from '../tables/service-tables.ts'

/** Tables in which a visitor's session stands beside their id. */
const visitorTables = keptTables.filter(
  ({ ties: { session, ids } }) => session === 'session_id' && ids?.includes('distinct_id') === true,
)

/** What takes spans and logs of the team's own servers, at home in the thread. */
export async function addOtlp(
  add: Add,
  { settings, keys }: Pick<ComposeInput, 'settings' | 'keys'>,
  deps: Omit<OtlpDeps, 'settings' | 'visitorTables'>,
): Promise<Otlp> {
  const otlp = await createOtlp({
    ...deps,
    visitorTables: visitorTables.map(({ name }) => name),
    settings: settings.otlp,
  })
  const { secretKey, publishableKey } = keys.api
  const isKey = (own: string) => (key: string) => equalInConstantTime(key, own)
  add(otlpService(otlp, { isSecret: isKey(secretKey), isPublishable: isKey(publishableKey) }), settings.otlp.enabled)
  return otlp
}
