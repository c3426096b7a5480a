import { expect } from 'vitest'
import { bystander, projectGroup } from '../cases/analytics/project.ts'
import type { AnalyticsProduct } from './product.ts'

/** Gives a product the group that the cases speak of. */
export async function prepareProject({ url, token, settled }: AnalyticsProduct): Promise<void> {
  const { status } = await fetch(`${url}/e/`, {
    method: 'POST',
    body: JSON.stringify({
      api_key: token,
      event: '$groupidentify',
      distinct_id: bystander,
      properties: projectGroup,
    }),
  })
  expect(status).toBe(200)
  await settled()
}
