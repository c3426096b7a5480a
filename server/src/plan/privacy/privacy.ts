import type { Analytics } from '../../services/analytics/index.ts'
import { createExports, exportsService } from '../../services/exports/index.ts'
import type { Issues } from '../../services/issues/index.ts'
import type { Otlp } from '../../services/otlp/index.ts'
import { createPrivacy, privacyService } from '../../services/privacy/index.ts'
import type { Replay } from '../../services/replay/index.ts'
import type { Thread } from '../../services/thread/index.ts'
import type { ComposeInput } from '../instance.ts'
import type { Add, JoinDeps, Shared } from '../shared.ts'
import { planExports } from '../storage.ts'

/** Where data of people are kept. */
interface PrivacyJoinDeps extends Pick<JoinDeps, 'actions'> {
  readonly analytics: Pick<Analytics, 'maskedStores' | 'propertyNames'>
  readonly recordings: Pick<Replay, 'maskedStore'>
  readonly thread: Pick<Thread, 'maskedStores'>
  readonly otlp: Pick<Otlp, 'maskedStores'>
  readonly issues: Pick<Issues, 'maskedStores'>
}

/** Masks, the jobs that mask the past in every room that keeps data of people, and exports, which wait for these. */
export function addPrivacy(
  add: Add,
  input: ComposeInput,
  shared: Shared,
  { actions, analytics, recordings, thread, otlp, issues }: PrivacyJoinDeps,
): void {
  const { settings } = input
  const privacy = createPrivacy({
    ...shared,
    stores: [
      ...analytics.maskedStores,
      ...thread.maskedStores,
      ...otlp.maskedStores,
      ...issues.maskedStores,
      recordings.maskedStore,
    ],
    propertyNames: analytics.propertyNames,
    consentRequired: settings.analytics.consent === 'required',
    settings: settings.privacy,
  })
  add(privacyService(privacy, actions))
  const { maskedTo } = privacy.jobs
  add(exportsService(createExports({ ...shared, ...planExports(input, shared), maskedTo }), actions))
}
