import { createOpaqueKeyFinder } from '../../ground/jwt/api-keys.ts'
import { type AnalyticsServiceDeps, createAnalytics, createCaptureRules } from '../../services/analytics/index.ts'
import type { Inbox } from '../../services/inbox/index.ts'
import { createIssues } from '../../services/issues/index.ts'
import type { Otlp } from '../../services/otlp/index.ts'
import { createReplay } from '../../services/replay/index.ts'
import type { Retention } from '../../services/retention/index.ts'
import type { Thread } from '../../services/thread/index.ts'
import { planAlerts } from '../errors.ts'
import type { ComposeInput } from '../instance.ts'
import { reasonToWait } from '../retention.ts'
import type { Engines, JoinDeps, Spooling } from '../shared.ts'
import { type Definitions, openDefinitions } from './definitions.ts'

/** What analytics need of the services before them, and of the thread, which is made after them. */
interface AnalyticsJoinDeps extends Pick<JoinDeps, 'addresses' | 'shared'> {
  readonly spool: Spooling
  readonly inbox: Inbox
  readonly retention: Retention
  /** Removes what the thread keeps of people who withdrew their consent. */
  readonly forgetInThread: Thread['forget']
  /** Takes their sessions' names from spans and logs of servers. */
  readonly forgetInTraces: Otlp['forget']
}

/** What posthog-js talks to: events with the recordings and exceptions among them, and the definitions that it asks for. */
export async function openAnalytics(
  input: ComposeInput,
  engines: Engines,
  { addresses, shared, spool, inbox, retention, forgetInThread, forgetInTraces }: AnalyticsJoinDeps,
) {
  const { settings, places, keys } = input
  const { keptLonger } = retention
  const roleOfKey = createOpaqueKeyFinder(keys.api)
  const recordings = createReplay({ clickhouse: engines.clickhouse, settings: settings.replay })
  const issues = await createIssues({ ...shared, ...spool, ...planAlerts(input, addresses, inbox), keptLonger })
  const captureRules = await createCaptureRules({
    ...shared,
    listen: engines.postgres.listen,
    settings: settings.analytics,
    places: places.analytics ?? {},
  })
  const analytics = await createAnalytics({
    ...shared,
    ...spool,
    listen: engines.postgres.listen,
    isSecretKey: (key) => roleOfKey(key) === 'service_role',
    ...{ recordings, exceptions: issues.exceptions, suppressionRules: issues.suppression.rules },
    ...{ settings: settings.analytics, captureSettings: captureRules.current },
    reasonToWait: reasonToWait(retention),
    forgetFirst: [forgetInTraces],
    forget: [
      issues.forget,
      forgetInThread,
      (ids, before) => definitions.flags.forget(ids, before),
      spool.forgetRefused,
    ],
  })
  const definitions: Definitions = await openDefinitions(input, engines, { ...spool, shared, analytics })
  const maxPictureBytes = settings.replay.maxPagePictureMib * 1024 ** 2
  const pictureOf: AnalyticsServiceDeps['pictureOf'] = (observations) =>
    recordings.pagePicture(observations, maxPictureBytes)
  return { recordings, pictureOf, captureRules, issues, analytics, definitions }
}
