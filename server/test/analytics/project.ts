import { expect } from 'vitest'
import type { AnalyticsCase } from '../cases/analytics/case.ts'
import { bystander, draftedSurvey, projectCohort, projectGroup, runningSurvey } from '../cases/analytics/project.ts'
import type { AnalyticsProduct } from './product.ts'

/** Gives a product what its cases speak of: a group, and flags and surveys where any of them has flags. */
export async function prepareProject(product: AnalyticsProduct, cases: readonly AnalyticsCase[]): Promise<void> {
  const { url, token, asOwner, settled } = product
  const event = { event: '$groupidentify', distinct_id: bystander, properties: projectGroup }
  const { status } = await fetch(`${url}/e/`, { method: 'POST', body: JSON.stringify({ api_key: token, ...event }) })
  expect(status).toBe(200)
  await settled()
  const flags = cases.flatMap((one) => one.flags ?? [])
  if (flags.length === 0) return
  await asOwner('POST', '/cohorts', projectCohort)
  for (const flag of flags) await asOwner('POST', '/flags', { ...plainFlag, ...flag })
  await asOwner('POST', '/surveys', draftedSurvey)
  // Its shape is the console's.
  const { id } = (await asOwner('POST', '/surveys', runningSurvey)) as { readonly id: string }
  await asOwner('PUT', `/surveys/${id}/running`, { running: true })
}

const plainFlag = {
  ...{ description: '', active: true, keepsBucket: false, bucketing: 'distinct_id', runtime: 'all', contexts: [] },
  earlyAccess: null,
}
