import { expect, test } from 'vitest'
import { createMetrics } from './metrics.ts'

test('numbers of one name are added up, and one that only grows is a counter', async () => {
  let lost = 3
  const metrics = createMetrics([
    { name: 'clew_sockets', help: 'Sockets', read: () => 2 },
    { name: 'clew_sockets', help: 'Sockets', read: () => 5 },
    { name: 'clew_lost_total', help: 'Lost', read: () => lost },
  ])
  expect(await metrics.text()).toContain('# TYPE clew_sockets gauge\nclew_sockets 7\n')
  expect(await metrics.text()).toContain('# TYPE clew_lost_total counter\nclew_lost_total 3\n')
  lost = 4
  expect(await metrics.text()).toContain('\nclew_lost_total 4\n')
})
