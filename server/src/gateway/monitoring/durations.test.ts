import { expect, test } from 'vitest'
import { createDurations } from './durations.ts'

test('buckets hold all that took at most as long, by service, method and class of status', () => {
  const durations = createDurations()
  durations.observe('rest', 'GET', 200, 1)
  durations.observe('rest', 'GET', 206, 1.5)
  durations.observe('rest', 'GET', 200, 6000)
  durations.observe('auth', 'POST', 404, 30)
  const lines = durations.text().split('\n')
  const rest = 'service="rest",method="GET",status="2xx"'
  expect(lines).toContain(`clew_request_duration_seconds_bucket{le="0.001",${rest}} 1`)
  expect(lines).toContain(`clew_request_duration_seconds_bucket{le="0.0025",${rest}} 2`)
  expect(lines).toContain(`clew_request_duration_seconds_bucket{le="5",${rest}} 2`)
  expect(lines).toContain(`clew_request_duration_seconds_bucket{le="+Inf",${rest}} 3`)
  expect(lines).toContain(`clew_request_duration_seconds_sum{${rest}} 6.0025`)
  expect(lines).toContain(`clew_request_duration_seconds_count{${rest}} 3`)
  expect(lines).toContain('clew_request_duration_seconds_count{service="auth",method="POST",status="4xx"} 1')
})
